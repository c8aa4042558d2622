import type { Page } from 'playwright-core'
import t from 'tap'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startProxy } from '../support/proxy.js'
import { startMock } from '../support/mock.js'
import { document, startService } from '../support/service.js'

const browser = await startBrowser(t)

/** A pet that Try it out can find, and what it is to send where the document's own example does not do. */
const PET = { name: 'Rex', categoryId: 7, status: 'available' }

const operations = operationsOf(document)

const rowOf = (page: Page, { tags, operationId }: Operation) => page.locator(`#operations-${tags[0]}-${operationId}`)

async function authorize (page: Page, secret: string): Promise<void> {
  await page.click('.btn.authorize')
  await page.fill('.modal-ux input', secret)
  await page.click('.modal-ux .btn.authorize')
  await page.click('.modal-ux .btn-done')
}

/**
 * Opens an operation, presses Try it out and Execute as the page shows it, gives what the page says of the answer, and
 * closes it.
 */
async function tryOut (page: Page, operation: Operation): Promise<{ status: string; body: string; headers: string }> {
  const row = rowOf(page, operation)
  await row.locator('.opblock-summary-control').click()
  await row.locator('.try-out__btn').click()
  for (const input of await row.locator('tr[data-param-in=path] input').all()) await input.fill('1')
  await row.locator('.execute').click()
  const answer = row.locator('.live-responses-table .response')
  await answer.locator('.headerline').first().waitFor()
  const text = async (of: string) => await answer.locator(of).first().innerText()
  const body = operation.success === 204 ? '' : await text('.highlight-code pre, .highlight-code code')
  const outcome = {
    status: (await text('.response-col_status')).trim(),
    body,
    headers: await text('pre:has(.headerline)')
  }
  // Swagger UI draws all that is open anew at every step.
  await row.locator('.opblock-summary-control').click()
  return outcome
}

/**
 * Where the page may be: on its own, on another name than localhost over plain HTTP, and behind a proxy that puts a
 * prefix before its paths.
 */
const PLACES: [
  title: string,
  addressOf: (t: Parameters<typeof startProxy>[0], root: string, port: number) => string | Promise<string>
][] = [
  ['at the root', (_t, root) => root],
  ['on a name over plain HTTP', (_t, _root, port) => `http://petstore.test:${port}`],
  ['behind a proxy that puts a prefix before it', (t, root) => startProxy(t, root, '/shop')]
]

for (const [index, [title, addressOf]] of PLACES.entries()) {
  t.test(`a person presses Authorize and Try it out on the docs page, ${title}`, { skip: noBrowser }, async (t) => {
    const { root, port, key, call } = await startService(t)
    await call('POST', '/pets', { body: PET })
    await call('PATCH', '/inventory/1', { body: { quantity: 2 } })
    const address = await addressOf(t, root, port)
    const { page, watch } = await openPage(t, browser)
    await page.goto(`${address}/docs/`)
    await page.locator('.opblock').first().waitFor()
    await page.goto(`${address}/docs`)
    t.equal(await page.title(), 'Petstore API')
    t.equal(await page.locator('.servers option').innerText(), `${address}/v1 - This server`)

    t.equal(
      (await page.locator('.info .renderedMarkdown pre').first().innerText()).trimEnd(),
      `curl -H "Authorization: Bearer $PETSTORE_KEY" ${address}/v1/pets`
    )
    t.equal(await page.locator('.info a.link').first().getAttribute('href'), `${address}/openapi.json`)

    await authorize(page, key)
    // Every operation in one place; in the others one that reads and one that writes.
    for (const operation of index === 0 ? operations : operations.slice(0, 2)) {
      const { status, body, headers } = await tryOut(page, operation)
      t.equal(status, String(operation.success), operation.operationId)
      if (operation.success !== 204) t.ok(JSON.parse(body), operation.operationId)
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
        t.match(headers, `${name}: `, operation.operationId)
      }
      if (operation.deprecation) t.match(headers, 'deprecation: @1764892800', operation.operationId)
    }
    t.same(watch, { errors: [], elsewhere: [] })
  })
}

t.test('the page of a mock tells how to call it, and asks for no key where none is needed', { skip: noBrowser }, async (t) => {
  for (const [requireKey, authorization] of [
    [false, ''],
    [true, '-H "Authorization: Bearer any" ']
  ] as const) {
    const { root } = await startMock(t, { requireKey })
    const { page, watch } = await openPage(t, browser)
    await page.goto(`${root}/docs`)
    t.equal((await page.locator('.info .renderedMarkdown pre').first().innerText()).trimEnd(), `curl ${authorization}${root}/v1/pets`)
    t.equal(await page.locator('.btn.authorize').count(), requireKey ? 1 : 0)
    if (!requireKey) t.equal((await tryOut(page, operations[0]!)).status, '200')
    t.same(watch, { errors: [], elsewhere: [] })
  }
})

t.test('the key is kept over a reload', { skip: noBrowser }, async (t) => {
  const { root, key } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  await authorize(page, key)
  await page.reload()
  const { status } = await tryOut(page, operations[0]!)
  t.equal(status, '200')
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('without a key the page shows the 401 and its headers', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  const { status, body, headers } = await tryOut(page, operations[0]!)
  t.equal(status, '401')
  t.equal(JSON.parse(body).code, 'unauthorized')
  t.match(headers, 'www-authenticate: Bearer realm="petstore"')
})

t.test(
  'a deprecated operation is struck through and tells its date of removal; tags and operations have the order of the document',
  { skip: noBrowser },
  async (t) => {
    const { root } = await startService(t)
    const { page } = await openPage(t, browser)
    await page.goto(`${root}/docs`)
    await page.locator('.opblock').first().waitFor()
    t.same(
      await page.locator('.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag'))),
      (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name)
    )
    t.same(
      await page.locator('.opblock').evaluateAll((rows) => rows.map((row) => row.id)),
      operations.map(({ tags, operationId }) => `operations-${tags[0]}-${operationId}`)
    )
    for (const operation of operations) {
      const row = rowOf(page, operation)
      t.equal(
        await page.evaluate(
          `getComputedStyle(document.querySelector('#${await row.getAttribute('id')} [data-path]')).textDecorationLine`
        ),
        operation.deprecation ? 'line-through' : 'none',
        operation.operationId
      )
      t.same(
        await row.locator('.badge-sunset').allInnerTexts(),
        operation.deprecation ? ['until 5 December 2030'] : [],
        operation.operationId
      )
    }
  }
)

t.test('experimental and beta operations have a badge', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  await page.locator('.badge-stability').first().waitFor()
  for (const operation of operations) {
    t.same(
      await rowOf(page, operation).locator('.badge-stability').allInnerTexts(),
      [operation.stability ?? []].flat(),
      operation.operationId
    )
  }
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('no control of the page is dead, and nothing is wider than a phone', { skip: noBrowser }, async (t) => {
  const { root, key } = await startService(t)
  const { page } = await openPage(t, browser, { width: 390 })
  await page.goto(`${root}/docs`)
  await authorize(page, key)
  await tryOut(page, operations[0]!)
  t.equal(await page.locator('.topbar').count(), 0, 'no bar that would load other documents')
  const choicesOfOne =
    "[...document.querySelectorAll('select')].filter((choice) => choice.options.length < 2 && choice.checkVisibility() && getComputedStyle(choice).pointerEvents !== 'none')"
  t.equal(await page.evaluate(`${choicesOfOne}.length`), 0, 'no choice of one')
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
})
