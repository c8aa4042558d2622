import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFaults, borderFaults, walkByKeyboard } from './accessibility.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startService } from '../support/service.js'

/** Where the screenshots go, which a person looks at; nowhere unless told. */
const { SCREENSHOTS } = process.env

const browser = await startBrowser(t)

/** Shows each of what a docs page can show, before it is measured. */
const DOCS_VIEWS: Record<string, (page: Page) => Promise<void>> = {
  closed: async (page) => { await page.locator('.opblock').first().waitFor() },
  async open (page) {
    for (const id of ['Pets-createPet', 'Pets-getPet']) {
      const row = page.locator(`#operations-${id}`)
      await row.locator('.opblock-summary-control').click()
      for (const summary of await row.locator('.shared-answers > summary').all()) await summary.click()
    }
    const row = page.locator('#operations-Pets-createPet')
    await row.getByRole('button', { name: 'Try it out' }).click()
    await row.getByRole('button', { name: 'Execute' }).click()
    await row.locator('.live-responses-table').first().waitFor()
  },
  async authorize (page) {
    await page.locator('.btn.authorize').click()
    await page.getByLabel('API key').waitFor()
  }
}

/** Each width and each scheme once, as neither changes what the other does; all of them for the screenshots. */
const VIEWS: [width: number, colorScheme: 'light' | 'dark'][] = [
  [1280, 'light'],
  [390, 'dark']
]
if (SCREENSHOTS !== undefined) VIEWS.push([1280, 'dark'], [390, 'light'])

for (const [width, colorScheme] of VIEWS) {
  t.test(`every page keeps WCAG 2.2 AA, ${colorScheme}, ${width} px wide`, { skip: noBrowser }, async (t) => {
    const { root } = await startService(t)
    const { page } = await openPage(t, browser, { width })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const check = async (name: string) => {
      if (SCREENSHOTS !== undefined) {
        const file = `${name.replace(/\W+/g, '-')}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true })
      }
      t.same(await accessibilityFaults(page), [], name)
      t.same(await borderFaults(page), [], `${name}: borders of fields`)
    }
    for (const path of ['/', '/guide', '/deprecations#getPet']) {
      await page.goto(root + path)
      await check(path)
    }
    for (const [view, show] of Object.entries(DOCS_VIEWS)) {
      await page.goto(`${root}/docs`)
      await page.reload()
      await show(page)
      await check(`/docs ${view}`)
    }
  })
}

t.test('every page can be used by the keyboard alone, and says where it is', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page } = await openPage(t, browser)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const path of ['/', '/guide', '/deprecations', '/docs']) {
      await page.goto(root + path)
      if (path === '/docs') await page.locator('.opblock').first().waitFor()
      const { walked, faults } = await walkByKeyboard(page)
      t.same(faults, [], `${path} ${colorScheme}`)
      t.same(walked.slice(0, 3), ['a Skip to the content', 'a Petstore API', 'a Guide'], path)
      t.ok(walked.length >= 5, path)
    }
  }
})

t.test('a press on the link at the top skips to the content', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page } = await openPage(t, browser)
  for (const path of ['/', '/guide', '/docs']) {
    await page.goto(root + path)
    if (path === '/docs') await page.locator('.opblock').first().waitFor()
    await page.keyboard.press('Tab')
    t.ok(await page.locator('.skip').isVisible(), path)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    t.ok(await page.evaluate('document.activeElement.closest("main") !== null'), path)
  }
})

t.test('an operation is tried by the keyboard alone', { skip: noBrowser }, async (t) => {
  const { root, key } = await startService(t)
  const { page } = await openPage(t, browser)
  await page.goto(`${root}/docs`)
  await page.locator('.btn.authorize').press('Enter')
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const row = page.locator('#operations-Pets-listPets')
  await row.locator('.opblock-summary-control').press('Enter')
  await row.getByRole('button', { name: 'Try it out' }).press('Enter')
  await row.getByRole('button', { name: 'Execute' }).press('Enter')
  await row.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor()
})

t.test('nothing moves for a person who wants no motion', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page } = await openPage(t, browser)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/', '/guide', '/docs']) {
    await page.goto(root + path)
    if (path === '/docs') await page.locator('.opblock').first().waitFor()
    t.equal(
      await page.evaluate(`[...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element)
        return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
      }).length`),
      0,
      path
    )
  }
})
