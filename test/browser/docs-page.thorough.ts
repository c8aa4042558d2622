import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { document, startService } from '../support/service.js'

const browser = await startBrowser(t)
const run = promisify(execFile)

const operations = operationsOf(document)
const PET = { name: 'Rex', categoryId: 7, status: 'available' }

const rowOf = (page: Page, { tags, operationId }: Operation) => page.locator(`#operations-${tags[0]}-${operationId}`)

/** Checks what the first screen has, and gives the boxes of the sentence above the first code and of that code. */
async function seesFirstScreen (t: Test, page: Page, root: string) {
  const first = page.locator('.opblock').first()
  await first.waitFor()
  const { y, height } = (await first.boundingBox())!
  t.ok(y + height <= 900, `the first operation ends at ${y + height} of 900`)
  t.notMatch(await page.locator('body').innerText(), /\bMIT\b/, 'no licence')
  t.equal(await page.locator('.info .renderedMarkdown a', { hasText: 'guide' }).getAttribute('href'), `${root}/guide`)
  const boxOf = async (part: string) => (await page.locator(`.info .renderedMarkdown > ${part}`).boundingBox())!
  return [await boxOf('p:has(+ .call)'), await boxOf('.call')] as const
}

t.test('the docs page on a wide screen', { skip: noBrowser }, async (t) => {
  const { root, key, call } = await startService(t)
  const { page, watch } = await openPage(t, browser, { permissions: ['clipboard-read'] })
  await page.goto(`${root}/docs`)

  await t.test('operations are on the first screen, and the sentence stands beside the code', async (t) => {
    const [sentence, code] = await seesFirstScreen(t, page, root)
    t.ok(sentence.y >= code.y && sentence.y + sentence.height <= code.y + code.height, 'the colon leads to the code')
  })

  await t.test('a box filters the operations by path, method or word', async (t) => {
    const box = page.getByLabel('Filter operations')
    const found = async () => page.locator('.opblock').evaluateAll((rows) => rows.map((row) => row.id.split('-').at(-1)))
    for (const [wanted, ids] of [
      ['inventory', ['listInventory', 'updateInventory']],
      ['DELETE', ['cancelOrder']],
      ['order an', ['placeOrder']],
      ['no such thing', []],
      ['', operations.map(({ operationId }) => operationId)]
    ] as const) {
      await box.fill(wanted)
      t.same(await found(), ids, wanted)
      t.equal(await page.getByText('No operation matches.').count(), wanted === 'no such thing' ? 1 : 0)
    }
  })

  await t.test('the first call is copied at a press', async (t) => {
    await page.locator('.info .call button').click()
    t.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      `curl -H "Authorization: Bearer $PETSTORE_KEY" ${root}/v1/pets`
    )
  })

  await t.test('the requests that the page shows in curl, fetch and Python do what it says', async (t) => {
    const env = { ...process.env, PETSTORE_KEY: key }
    const runners: Record<string, [string, ...string[]]> = {
      curl: ['bash', '-c'],
      fetch: [process.execPath, '--input-type=module', '-e'],
      Python: ['python3', '-c']
    }
    for (const operation of operations.slice(0, 2)) {
      const row = rowOf(page, operation)
      await row.locator('.opblock-summary-control').click()
      for (const [language, [program, ...args]] of Object.entries(runners)) {
        await row.getByRole('tab', { name: language }).click()
        const code = await row.locator('.snippets pre').innerText()
        const { stdout } = await run(program, [...args, code], { env })
        if (language !== 'curl') t.match(stdout, new RegExp(`^${operation.success}\\b`), code)
        else if (operation.success === 201) t.match(JSON.parse(stdout), PET, code)
        else t.ok(Array.isArray(JSON.parse(stdout)), code)
      }
      if (operation !== operations[1]) await row.locator('.opblock-summary-control').click()
    }
    t.equal((await call('GET', '/pets')).json.length, 3, 'each language has added one')
  })

  const row = rowOf(page, operations[1]!)
  await t.test('a request is copied at a press, and its languages are chosen with the arrow keys', async (t) => {
    await row.getByRole('tab', { name: 'curl' }).click()
    await row.getByRole('tab', { name: 'curl' }).press('ArrowLeft')
    t.equal(await row.locator('.snippets').getByRole('tab', { selected: true }).innerText(), 'Python')
    await row.locator('.snippets .call button').click()
    t.match(await page.evaluate('navigator.clipboard.readText()'), 'from urllib.request import')
  })

  await t.test('bounds of int64 are shown digit for digit', async (t) => {
    await row.getByRole('tab', { name: 'Schema' }).first().click()
    await row.getByText('≤ 9223372036854775807').first().waitFor()
    t.match(await row.innerText(), '≥ -9223372036854775808')
    t.notMatch(await row.innerText(), '9223372036854776000')
  })
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('the docs page on a phone', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser, { width: 390 })
  await page.goto(`${root}/docs`)

  await t.test('operations are on the first screen, and the code is below its sentence', async (t) => {
    const [sentence, code] = await seesFirstScreen(t, page, root)
    t.ok(code.y >= sentence.y + sentence.height, 'the colon leads to the code')
  })

  await t.test('the field of the key says API key', async (t) => {
    await page.click('.btn.authorize')
    t.ok(await page.getByLabel('API key').isVisible())
    await page.keyboard.press('Escape')
  })

  await t.test('every page is as dark as the system', async (t) => {
    const lightness =
      'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)'
    for (const path of ['/docs', '/guide', '/deprecations', '/']) {
      if (path !== '/docs') await page.goto(root + path)
      await page.emulateMedia({ colorScheme: 'dark' })
      t.ok(Number(await page.evaluate(lightness)) < 150, `${path} dark`)
      await page.emulateMedia({ colorScheme: 'light' })
      t.ok(Number(await page.evaluate(lightness)) > 600, `${path} light`)
      if (path !== '/docs') continue
      await page.click('.site .home')
      t.equal(page.url(), `${root}/`)
    }
  })
  t.same(watch, { errors: [], elsewhere: [] })
})
