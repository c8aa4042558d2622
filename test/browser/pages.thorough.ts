import t from 'tap'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startProxy } from '../support/proxy.js'
import { startService } from '../support/service.js'

const browser = await startBrowser(t)

for (const prefix of ['', '/shop']) {
  t.test(
    `a person finds everything from the landing page${prefix && ', behind a proxy that puts a prefix before it'}`,
    { skip: noBrowser },
    async (t) => {
      const { root } = await startService(t)
      const address = prefix === '' ? root : await startProxy(t, root, prefix)
      const { page, watch } = await openPage(t, browser)
      await page.goto(`${address}/`)
      t.equal(await page.title(), 'Petstore API')
      t.equal(
        await page.locator('.call pre').innerText(),
        `curl -H "Authorization: Bearer $PETSTORE_KEY" ${address}/v1/pets`
      )
      const targets = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)')
      for (const path of ['/guide', '/docs', '/openapi.yaml', '/openapi.json', '/openapi.d.ts', '/deprecations', '/readyz']) {
        t.ok(targets.includes(address + path), path)
      }
      for (const target of targets) t.equal((await fetch(target)).status, 200, target)

      await page.click('a[href$=getPet]')
      await page.locator('#operations-Pets-getPet .opblock-body').waitFor()
      await page.goto(`${address}/deprecations#getPet`)
      t.match(
        await page.locator('tr:target').innerText(),
        /GET \/v1\/pets\/\{petId\}\s+5 December 2025\s+5 December 2030\s+GET \/v1\/pets/
      )
      t.same(watch, { errors: [], elsewhere: [] })
    }
  )
}

t.test('the first call is copied at a press', { skip: noBrowser }, async (t) => {
  const { root, port } = await startService(t)
  const { page, watch } = await openPage(t, browser, { permissions: ['clipboard-read'] })
  for (const address of [root, `http://petstore.test:${port}`]) {
    await page.goto(`${address}/`)
    await page.click('.call button')
    t.equal(await page.locator('.call button').innerText(), 'Copied')
    if (address === root) {
      t.equal(
        await page.evaluate('navigator.clipboard.readText()'),
        `curl -H "Authorization: Bearer $PETSTORE_KEY" ${address}/v1/pets`
      )
    }
  }
  t.same(watch, { errors: [], elsewhere: [] })
})

t.test('our pages are no wider than a phone', { skip: noBrowser }, async (t) => {
  const { root } = await startService(t)
  const { page, watch } = await openPage(t, browser, { width: 390 })
  for (const path of ['/guide', '/', '/deprecations']) {
    await page.goto(root + path)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, path)
    if (path === '/guide') continue
    t.equal(await page.locator('thead:visible').count(), 0, `${path}: the cells have labels instead of a head`)
  }
  t.same(watch, { errors: [], elsewhere: [] })
})
