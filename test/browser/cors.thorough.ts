import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { EXPOSED_HEADERS } from '../../src/plugins/answer/cors.js'
import { noBrowser, openPage, startBrowser } from './browser.js'
import { startService } from '../support/service.js'

const browser = await startBrowser(t)

/** What a script on a page sees of an answer. */
interface Seen {
  status: number
  headers: Record<string, string>
  body: any
}

/** The headers that a page may read, of those that these answers carry. */
const OF_EVERY_ANSWER = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'x-request-id'
]

t.test(
  'a page on another origin lists, creates, is refused and is limited, and reads every header',
  { skip: noBrowser },
  async (t) => {
    const { root, makeKey } = await startService(t)
    const { secret } = await makeKey({ plan: 'enterprise', perMinute: 5, perDay: 100 })
    const shop = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end('<!DOCTYPE html><link rel="icon" href="data:,"><title>Shop</title>')
    })
    await new Promise<void>((resolve) => {
      shop.listen(0, '127.0.0.1', resolve)
    })
    t.teardown(() => {
      shop.close()
    })
    const { page, watch } = await openPage(t, browser)
    await page.goto(`http://shop.test:${(shop.address() as AddressInfo).port}/`)

    const call = async (method: string, path: string, key?: string, body?: string): Promise<Seen> => {
      const seen = await page.evaluate(
        async ({ url, method, key, body }) => {
          const response = await fetch(url, {
            method,
            headers: {
              ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
              ...(body === undefined ? {} : { 'content-type': 'application/json' })
            },
            ...(body === undefined ? {} : { body })
          })
          return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
        },
        { url: `${root}/v1${path}`, method, key, body }
      )
      return { ...seen, body: JSON.parse(seen.text) }
    }
    const sees = (seen: Seen, status: number, ...names: string[]) => {
      t.equal(seen.status, status)
      for (const name of [...OF_EVERY_ANSWER, ...names]) t.ok(seen.headers[name], `${status}: ${name}`)
      if (status >= 400) t.equal(seen.body.status, status)
    }

    sees(await call('POST', '/pets', secret, '{"name":"Rex","categoryId":7}'), 201)
    sees(await call('POST', '/pets', secret, '{"name":"Ada","categoryId":7}'), 201)
    const listed = await call('GET', '/pets?limit=1', secret)
    sees(listed, 200, 'link')
    t.same(listed.body, [{ id: 1, name: 'Rex', categoryId: 7 }])
    sees(await call('GET', '/pets/1', secret), 200, 'deprecation', 'sunset', 'link')
    sees(await call('POST', '/pets', secret, '{}'), 400)
    sees(await call('GET', '/pets', secret), 429, 'retry-after')
    sees(await call('GET', '/pets', 'pet_live_nobody'), 401, 'www-authenticate')
    sees(await call('DELETE', '/pets'), 401, 'www-authenticate')

    t.same(watch.elsewhere, [])
    t.ok(EXPOSED_HEADERS.length > OF_EVERY_ANSWER.length)
  }
)
