import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { document, startService } from '../support/service.js'

const browser = await startBrowser(t)
const run = promisify(execFile)

const operations = operationsOf(document)
const PET = { name: 'Rex', categoryId: 7, status: 'available' }

const rowOf = (page: Page, { tags, operationId }: Operation) => page.locator(`#operations-${tags[0]}-${operationId}`)

t.test('operations are on the first screen, with ways to the other pages and without a licence', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  for (const width of [1280, 390]) {
    const { page, watch } = await openPage(t, browser, { width })
    await page.goto(`${root}/docs`)
    const first = page.locator('.opblock').first()
    await first.waitFor()
    const { y, height } = (await first.boundingBox())!
    t.ok(y + height <= 900, `${width}: the first operation ends at ${y + height} of 900`)
    t.notMatch(await page.locator('body').innerText(), /\bMIT\b/)
    t.equal(await page.locator('.info .renderedMarkdown a', { hasText: 'guide' }).getAttribute('href'), `${root}/guide`)
    const [sentence, code] = await Promise.all(
      ['p:has(+ .call)', '.call'].map((part) => page.locator(`.info .renderedMarkdown > ${part}`).boundingBox())
    )
    const beside = sentence!.y >= code!.y && sentence!.y + sentence!.height <= code!.y + code!.height
    t.ok(width === 1280 ? beside : code!.y >= sentence!.y + sentence!.height, `${width}: the colon leads to the code`)
    await page.click('.site .home')
    t.equal(page.url(), `${root}/`)
    t.same(watch, { errors: [], elsewhere: [] })
  }
})

t.test('bounds of int64 are shown digit for digit', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  const row = rowOf(page, operations.find(({ operationId }) => operationId === 'createPet')!)
  await row.locator('.opblock-summary-control').click()
  await row.getByRole('tab', { name: 'Schema' }).first().click()
  await row.getByText('≤ 9223372036854775807').first().waitFor()
  t.match(await row.innerText(), '≥ -9223372036854775808')
  t.notMatch(await row.innerText(), '9223372036854776000')
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('a box filters the operations by path, method or word', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
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
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('the requests that the page shows in curl, fetch and Python do what it says', { skip: noBrowser }, async (t) => {
  const { root, key, call } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
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
    await row.locator('.opblock-summary-control').click()
  }
  t.equal((await call('GET', '/pets')).json.length, 3, 'each language has added one')
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('a request is copied at a press, and its languages are chosen with the arrow keys', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page } = await openPage(t, browser, { permissions: ['clipboard-read'] })
  await page.goto(`${root}/docs`)
  await page.locator('.info .call button').click()
  t.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    `curl -H "Authorization: Bearer $PETSTORE_KEY" ${root}/v1/pets`
  )
  const row = rowOf(page, operations[0]!)
  await row.locator('.opblock-summary-control').click()
  await row.getByRole('tab', { name: 'curl' }).press('ArrowLeft')
  t.equal(await row.locator('.snippets').getByRole('tab', { selected: true }).innerText(), 'Python')
  await row.locator('.snippets .call button').click()
  t.match(await page.evaluate('navigator.clipboard.readText()'), 'from urllib.request import')
})

t.test('the answers that operations share are folded into one line', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  const shared = ['401', '403', '405', '408', '412', '429', '500', '503']
  for (const operation of operations) {
    const row = rowOf(page, operation)
    await row.locator('.opblock-summary-control').click()
    const statuses = [...operation.responses.keys()]
    const folded = shared.filter((status) => statuses.includes(status))
    const own = statuses.filter((status) => !shared.includes(status))
    const line = row.locator('.shared-answers > summary')
    t.match(await line.innerText(), folded.join(', '), operation.operationId)
    t.same((await row.locator('tr.response:visible .response-col_status').allInnerTexts()).map((text) => text.trim()), own)
    await line.click()
    t.equal(await row.locator('tr.response:visible').count(), own.length + folded.length, 'and opened at a press')
    await row.locator('.opblock-summary-control').click()
  }
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('the field of the key says API key, and every page is as dark as the system', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  const lightness =
    'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)'
  for (const [colorScheme, isRight] of [
    ['dark', (sum: number) => sum < 150],
    ['light', (sum: number) => sum > 600]
  ] as const) {
    await page.emulateMedia({ colorScheme })
    for (const path of ['/', '/guide', '/deprecations', '/docs']) {
      await page.goto(root + path)
      t.ok(isRight(await page.evaluate(lightness)), `${path} ${colorScheme}`)
    }
    await page.click('.btn.authorize')
    t.ok(await page.getByLabel('API key').isVisible())
  }
  t.same(watch, { errors: [], elsewhere: [] })
})
