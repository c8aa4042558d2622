import { join } from 'node:path'
import t from 'tap'
import { accessibilityFaults, borderFaults, walkByKeyboard } from './accessibility.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startService } from '../support/service.js'

/** Where the screenshots go, which a person looks at; nowhere unless told. */
const { SCREENSHOTS } = process.env

const browser = await startBrowser(t)

/** Counts the elements that move. */
const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
  const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element)
  return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
}).length`

/** Each width and each scheme once, as neither changes what the other does; all of them for the screenshots. */
const VIEWS: [width: number, colorScheme: 'light' | 'dark'][] = [
  [1280, 'light'],
  [390, 'dark']
]
if (SCREENSHOTS !== undefined) VIEWS.push([1280, 'dark'], [390, 'light'])

for (const [width, colorScheme] of VIEWS) {
  const title = `every page keeps WCAG 2.2 AA and can be used by the keyboard alone, ${colorScheme}, ${width} px wide`
  t.test(title, { skip: noBrowser }, async (t) => {
    const { root, key } = await startService(t)
    const { page } = await openPage(t, browser, { width })
    await page.emulateMedia({ colorScheme })
    const check = async (name: string) => {
      if (SCREENSHOTS !== undefined) {
        const file = `${name.replace(/\W+/g, '-')}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true })
      }
      t.same(await accessibilityFaults(page), [], name)
      t.same(await borderFaults(page), [], `${name}: borders of fields`)
    }

    for (const path of ['/', '/guide', '/deprecations#getPet', '/docs']) {
      await page.goto(root + path)
      if (path === '/docs') await page.locator('.opblock').first().waitFor()
      await check(path)
      t.equal(await page.evaluate(MOVING), 0, `${path}: nothing moves for a person who wants no motion`)
      const { walked, faults } = await walkByKeyboard(page)
      t.same(faults, [], path)
      t.same(walked.slice(0, 3), ['a Skip to the content', 'a Petstore API', 'a Guide'], path)
      t.ok(walked.length >= 5, path)
      if (path.startsWith('/deprecations')) continue // Its content has nothing to focus.
      await page.locator('.skip').press('Enter')
      await page.keyboard.press('Tab')
      t.ok(await page.evaluate('document.activeElement.closest("main") !== null'), `${path}: skips to the content`)
    }

    await page.locator('.btn.authorize').press('Enter')
    await page.getByLabel('API key').waitFor()
    await check('/docs authorize')
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    for (const id of ['Pets-createPet', 'Pets-getPet']) {
      const row = page.locator(`#operations-${id}`)
      await row.locator('.opblock-summary-control').press('Enter')
      for (const summary of await row.locator('.shared-answers > summary').all()) await summary.press('Enter')
    }
    const row = page.locator('#operations-Pets-createPet')
    await row.getByRole('button', { name: 'Try it out' }).press('Enter')
    await row.getByRole('button', { name: 'Execute' }).press('Enter')
    await row.locator('.live-responses-table .response-col_status', { hasText: '201' }).first().waitFor()
    await check('/docs open')
  })
}
