import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startProxy } from '../support/proxy.js'
import { startMock } from '../support/mock.js'
import { document, startService } from '../support/service.js'

const browser = await startBrowser(t)

/** A pet that Try it out can find, and what it is to send where the document's own example does not do. */
const PET = { name: 'Rex', categoryId: 7, status: 'available' }

const operations = operationsOf(document)

/** The statuses of the responses that operations share. */
const SHARED = ['401', '403', '405', '408', '412', '429', '500', '503']

const CHOICES_OF_ONE = `[...document.querySelectorAll('select')].filter((choice) =>
  choice.options.length < 2 && choice.checkVisibility() && getComputedStyle(choice).pointerEvents !== 'none')`

const rowOf = (page: Page, { tags, operationId }: Operation) => page.locator(`#operations-${tags[0]}-${operationId}`)

async function authorize (page: Page, secret: string): Promise<void> {
  await page.click('.btn.authorize')
  await page.fill('.modal-ux input', secret)
  await page.click('.modal-ux .btn.authorize')
  await page.click('.modal-ux .btn-done')
}

/**
 * Opens an operation, looks at it, presses Try it out and Execute as the page shows it, gives what the page says of the
 * answer, and closes it.
 */
async function tryOut (
  page: Page,
  operation: Operation,
  look = async (_row: Locator) => {}
): Promise<{ status: string; body: string; headers: string }> {
  const row = rowOf(page, operation)
  await row.locator('.opblock-summary-control').click()
  await look(row)
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
  addressOf: (t: Test, root: string, port: number) => string | Promise<string>
][] = [
  ['at the root', (_t, root) => root],
  ['on a name over plain HTTP', (_t, _root, port) => `http://petstore.test:${port}`],
  ['behind a proxy that puts a prefix before it', (t, root) => startProxy(t, root, '/shop')]
]

/** Checks the order of tags and operations, how deprecated operations look, and the badges. */
async function seesOperations (t: Test, page: Page): Promise<void> {
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
    const badges = async (kind: string) => await row.locator(`.badge-${kind}`).allInnerTexts()
    t.equal(
      await page.evaluate(
        `getComputedStyle(document.querySelector('#${await row.getAttribute('id')} [data-path]')).textDecorationLine`
      ),
      operation.deprecation ? 'line-through' : 'none',
      operation.operationId
    )
    t.same(await badges('sunset'), operation.deprecation ? ['until 5 December 2030'] : [], operation.operationId)
    t.same(await badges('stability'), [operation.stability ?? []].flat(), operation.operationId)
  }
}

/** Checks that the responses that operations share are folded into one line, which unfolds them. */
async function seesSharedAnswers (t: Test, row: Locator, { responses, operationId }: Operation): Promise<void> {
  const statuses = [...responses.keys()]
  const folded = statuses.filter((status) => SHARED.includes(status)).sort()
  const own = statuses.filter((status) => !SHARED.includes(status))
  const line = row.locator('.shared-answers > summary')
  t.match(await line.innerText(), folded.join(', '), operationId)
  t.same((await row.locator('tr.response:visible .response-col_status').allInnerTexts()).map((text) => text.trim()), own)
  await line.click()
  t.equal(await row.locator('tr.response:visible').count(), own.length + folded.length, 'and opened at a press')
}

for (const [index, [title, addressOf]] of PLACES.entries()) {
  t.test(`a person presses Authorize and Try it out on the docs page, ${title}`, { skip: noBrowser }, async (t) => {
    const { root, port, key, call } = await startService(t)
    await call('POST', '/pets', { body: PET })
    await call('PATCH', '/inventory/1', { body: { quantity: 2 } })
    const address = await addressOf(t, root, port)
    const { page, watch } = await openPage(t, browser, { width: index === 0 ? 1280 : 390 })
    await page.goto(`${address}/docs`)
    t.equal(await page.title(), 'Petstore API')
    t.equal(await page.locator('.servers option').innerText(), `${address}/v1 - This server`)

    t.equal(
      (await page.locator('.info .renderedMarkdown pre').first().innerText()).trimEnd(),
      `curl -H "Authorization: Bearer $PETSTORE_KEY" ${address}/v1/pets`
    )
    t.equal(await page.locator('.info a.link').first().getAttribute('href'), `${address}/openapi.json`)

    if (index === 0) {
      await seesOperations(t, page)
      const { status, body, headers } = await tryOut(page, operations[0]!)
      t.equal(status, '401')
      t.equal(JSON.parse(body).code, 'unauthorized')
      t.match(headers, 'www-authenticate: Bearer realm="petstore"')
      t.match(watch.errors.splice(0).join(), /^Failed to load resource: [^,]* 401 [^,]*$/)
    }
    await authorize(page, key)
    // The path with a slash is the same page, and the key is kept over a load.
    await page.goto(`${address}/docs/`)
    // Every operation in one place; in the others one that writes.
    for (const operation of index === 0 ? operations : operations.slice(1, 2)) {
      const { status, body, headers } = await tryOut(page, operation, async (row) => {
        if (index === 0) await seesSharedAnswers(t, row, operation)
      })
      t.equal(status, String(operation.success), operation.operationId)
      if (operation.success !== 204) t.ok(JSON.parse(body), operation.operationId)
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
        t.match(headers, `${name}: `, operation.operationId)
      }
      if (operation.deprecation) t.match(headers, 'deprecation: @1764892800', operation.operationId)
    }
    t.equal(await page.locator('.topbar').count(), 0, 'no bar that would load other documents')
    t.equal(await page.evaluate(`${CHOICES_OF_ONE}.length`), 0, 'no choice of one')
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing is wider than a phone')
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
