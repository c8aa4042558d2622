import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { nodeCommand } from '../../scripts/cluster/program.js'
import { isInstalled, WEB } from '../../scripts/tools/folder.js'
import { accessibilityFaults, borderFaults, walkByKeyboard } from './accessibility.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startMock } from '../support/mock.js'
import { startService } from '../support/service.js'
import { packTypes } from '../support/tarball.js'
import { until } from '../support/until.js'

const run = promisify(execFile)
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Where the screenshots go, which a person looks at; nowhere unless told. */
const { SCREENSHOTS } = process.env

const site = noBrowser ? '' : await buildPage()
const browser = await startBrowser(t)

/** Builds the page as its developers would, on the packed package, and gives the folder of what is to be served. */
async function buildPage (): Promise<string> {
  if (!isInstalled(WEB)) throw new Error('The packages of the page are not installed. Run: npm run tools')
  const { tarball } = await packTypes(t)
  const folder = mkdtempSync(join(tmpdir(), 'petstore-web-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  cpSync(WEB, folder, { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'petstore-api-types'), { recursive: true })
  for (const name of readdirSync(join(WEB, 'node_modules'))) {
    if (name !== 'petstore-api-types') symlinkSync(join(WEB, 'node_modules', name), join(modules, name))
  }
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'petstore-api-types')])
  for (const args of [['typescript/bin/tsc'], ['vite/bin/vite.js', 'build', '--logLevel', 'warn']]) {
    const [program, ...rest] = args
    const { stdout, stderr } = await run(...nodeCommand([join(modules, program!), ...rest]), { cwd: folder }).catch(
      (error) => error
    )
    t.equal(stdout + stderr, '', `${args.join(' ')} has nothing to say`)
  }
  return join(folder, 'dist')
}

/** Serves the built page on an origin of its own, for a service at an address. */
async function serve (t: Test, address: string): Promise<string> {
  const server = createServer((request, response) => {
    const file = request.url === '/' ? '/index.html' : request.url!
    const text = readFileSync(join(site, file), 'utf8').replace('http://127.0.0.1:3000/v1', `${address}/v1`)
    response.setHeader('Content-Type', `${TYPES[extname(file)]}; charset=utf-8`).end(text)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://shop.test:${(server.address() as AddressInfo).port}/`
}

async function signIn (page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What a browser itself writes of an answer with a status of 400 and above. */
const withoutRefusals = (errors: string[]) => errors.filter((text) => !text.startsWith('Failed to load resource'))

/** The pets whose names are seen, once there are so many. */
async function pets (page: Page, count: number): Promise<string[]> {
  const names = page.locator('.pets li span')
  await names.nth(count - 1).waitFor()
  return await names.allTextContents()
}

/** Each width and each scheme once, as neither changes what the other does; all of them for the screenshots. */
const VIEWS: [width: number, scheme: 'light' | 'dark'][] = [
  [1280, 'light'],
  [390, 'dark']
]
if (SCREENSHOTS !== undefined) VIEWS.push([1280, 'dark'], [390, 'light'])

for (const [width, scheme] of VIEWS) {
  const look = async (t: Test, page: Page, name: string) => {
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    t.ok(overflow <= 0, `${name}: nothing stands out at the side`)
    t.same(await accessibilityFaults(page), [], `${name}: WCAG 2.2 AA`)
    t.same(await borderFaults(page), [], `${name}: borders of fields`)
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`) })
  }
  const background = scheme === 'light' ? 'rgb(246, 247, 249)' : 'rgb(20, 23, 28)'

  t.test(`on the service, ${width} px, ${scheme}`, { skip: noBrowser }, async (t) => {
    const service = await startService(t)
    const { page, watch } = await openPage(t, browser, { width })
    await page.emulateMedia({ colorScheme: scheme })
    for (let index = 1; index <= 45; index++) {
      const body = { name: `Pet ${index}`, categoryId: 1, status: index % 2 ? 'available' : 'pending' }
      await service.call('POST', '/pets', { body })
    }
    await page.goto(await serve(t, service.root))
    t.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), background)
    await look(t, page, 'service-sign-in')

    await signIn(page, 'ключ')
    t.equal(await page.locator('input:invalid').count(), 1, 'no header could carry it')
    await signIn(page, 'pet_live_nobody')
    await page.getByRole('alert').getByText('does not know this API key').waitFor()
    await signIn(page, service.key)
    t.equal((await pets(page, 20))[0], 'Pet 1')
    await look(t, page, 'service-list')
    t.same((await walkByKeyboard(page, { most: 12 })).faults, [], 'the focus is seen, and goes in order')

    await t.test('the list loads on as it is scrolled, and can be filtered', async (t) => {
      await until(async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
        return (await page.locator('.pets li').count()) >= 45
      })
      t.equal((await pets(page, 45)).at(-1), 'Pet 45')
      await page.getByLabel('Status').selectOption('pending')
      await page.locator('.pets li span').getByText('Pet 1', { exact: true }).waitFor({ state: 'detached' })
      t.equal((await pets(page, 20))[0], 'Pet 2')
      await page.getByLabel('Status').selectOption('')
      t.equal((await pets(page, 20))[0], 'Pet 1')
    })

    await t.test('a field tells what is wrong with it, and an added pet is listed', async (t) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Name must have at least 1 character.').waitFor()
      await page.getByText('Category must be an integer.').waitFor()
      await look(t, page, 'service-faults')
      await page.getByLabel('Name').fill('Rex')
      await page.getByLabel('Category').fill('7')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Rex was added.').waitFor()
      t.equal(await page.getByText('must have at least').count(), 0)
      t.match((await service.call('GET', '/pets?limit=100')).json.at(-1), { name: 'Rex', categoryId: 7 })
    })

    await t.test('an animal is ordered, and its order cancelled', async (t) => {
      const first = page.locator('.pets li').filter({ has: page.getByText('Pet 1', { exact: true }) })
      await first.getByRole('button', { name: 'Order' }).click()
      await page.getByText('Order 1', { exact: true }).waitFor()
      await first.getByText('pending').waitFor()
      await look(t, page, 'service-orders')
      await page.locator('.orders').getByRole('button', { name: 'Cancel' }).click()
      await page.locator('.orders').getByText('There are none.').waitFor()
      await first.getByText('available').waitFor()
      await first.getByRole('button', { name: 'Order' }).click()
      await page.getByText('Order 2', { exact: true }).waitFor()
      await first.getByText('pending').waitFor()
      await first.getByRole('button', { name: 'Order' }).click()
      await page.getByRole('alert').getByText('There is not enough of this pet in stock.').waitFor()
    })

    await t.test('a limit that is spent counts down, and then the list is there', async (t) => {
      await page.getByRole('button', { name: 'Sign out' }).click()
      const { secret } = await service.makeKey({ plan: 'enterprise', perMinute: 2, perDay: 100 })
      service.clock.advance(60_000 - (service.clock.now() % 60_000) - 3_000)
      for (let call = 0; call < 2; call++) await service.call('GET', '/pets', { key: secret })
      await signIn(page, secret)
      await page.getByText('The service asks us to wait.').waitFor()
      await look(t, page, 'service-wait')
      service.clock.advance(60_000)
      const seconds = page.locator('.seconds').first()
      const before = Number(await seconds.textContent())
      t.ok(before >= 1 && before <= 5, `${before}`)
      await page.waitForFunction(`!(Number(document.querySelector('.seconds')?.textContent) >= ${before})`)
      t.equal((await pets(page, 20))[0], 'Pet 1')
    })

    t.same(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, ''])
    await page.reload()
    await page.getByLabel('API key').waitFor()
    t.same(withoutRefusals(watch.errors), [])
    t.same(watch.elsewhere, [])
  })

  t.test(`on the mock, ${width} px, ${scheme}`, { skip: noBrowser }, async (t) => {
    const { root } = await startMock(t, { requireKey: true })
    const { page, watch } = await openPage(t, browser, { width })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(await serve(t, root))
    await signIn(page, 'any')
    t.same(await pets(page, 2), ['Rex', 'Ada'])
    await page.getByLabel('Status').selectOption('sold')
    await page.locator('.pets').getByText('There are none.').waitFor()
    await page.getByLabel('Status').selectOption('available')
    t.same(await pets(page, 1), ['Rex'])

    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Name must have at least 1 character.').waitFor()
    await page.getByLabel('Name').fill('Rex')
    await page.getByLabel('Category').fill('7')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Rex was added.').waitFor()
    await page.locator('.orders').getByRole('button', { name: 'Cancel' }).first().click()
    t.equal(await page.getByRole('alert').count(), 0)
    await look(t, page, 'mock')

    /** Makes the mock answer as its own header chooses, until it is told otherwise. */
    const prefer = async (preference: string) =>
      await page.route(`${root}/v1/**`, (route) =>
        route.continue({ headers: { ...route.request().headers(), prefer: preference } })
      )
    await prefer('code=429')
    await page.getByLabel('Status').selectOption('pending')
    await page.getByText('Trying again in').waitFor()
    await look(t, page, 'mock-wait')
    await page.unroute(`${root}/v1/**`)
    await prefer('code=401')
    // The first key waits until its limit is free again, and another does not.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, 'other')
    await page.getByRole('alert').getByText('does not know this API key').waitFor()
    t.same(withoutRefusals(watch.errors), [])
    t.same(watch.elsewhere, [])
  })
}
