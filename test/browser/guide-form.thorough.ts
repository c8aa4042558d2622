import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { GUIDE_ADDRESS } from '../../src/pages/guide-text.js'
import { ROOT } from '../support/documents.js'
import { guide, startService } from '../support/service.js'
import { noBrowser, openPage, startBrowser } from './browser.js'

const browser = await startBrowser(t)
const SAMPLE = guide.split('\n## From a browser\n')[1]!.match(/```ts\n([^]*?)```/)![1]!
const FORM = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Shop</title>
<input id="key"><form><input name="name"><input name="categoryId"><input name="status"><button>Add</button></form>
<output></output>`

/** Serves a page with the form and the script of the guide, for a service at an address, and gives where it is. */
async function serve (t: Test, address: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: SAMPLE.replace(GUIDE_ADDRESS, address), loader: 'ts' },
    absWorkingDir: ROOT,
    alias: { 'petstore-api-types/client': join(ROOT, 'generated/client.mjs') },
    bundle: true,
    write: false
  })
  const page = `${FORM}<script>${outputFiles[0]!.text}</script>`
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(page))
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

t.test("the guide's form tells each fault, and adds once however often it is pressed", { skip: noBrowser }, async (t) => {
  const { root, key, app, call } = await startService(t)
  const keys: unknown[] = []
  let loses = false
  app.server.on('request', ({ method, headers, socket }, response) => {
    if (method !== 'POST') return
    keys.push(headers['idempotency-key'])
    if (!loses) return
    // The request is done, and its answer gets lost.
    response.writeHead = response.write = response.end = (() => {
      socket.destroy()
      return response
    }) as never
  })
  const { page } = await openPage(t, browser)
  await page.goto(await serve(t, `${root}/v1`))
  const press = async (says: string | RegExp) => {
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('output').getByText(says).waitFor()
  }
  const fill = (name: string, text: string) => page.locator(`[name=${name}]`).fill(text)
  await page.locator('#key').fill(key)
  await press('name is required, categoryId is required')
  await fill('categoryId', 'seven')
  await press('name is required, categoryId must be an integer')
  t.equal(new Set(keys).size, 2, 'what changed has a key of its own')

  await fill('name', 'Rex')
  await fill('categoryId', '7')
  loses = true
  keys.length = 0
  await press('There was no answer. Press again.')
  loses = false
  await press('Added as 1.')
  t.equal(new Set(keys).size, 1)
  await fill('name', 'Ada')
  await fill('categoryId', '7')
  await press('Added as 2.')
  t.equal(new Set(keys).size, 2)
  const wanted = [{ id: 1, name: 'Rex', categoryId: 7 }, { id: 2, name: 'Ada', categoryId: 7 }]
  t.same((await call('GET', '/pets')).json, wanted, 'without a status, which was empty')
})
