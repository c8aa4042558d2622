import type { FetchOptions } from 'openapi-fetch'
import type { operations } from 'petstore/types'
import { pages, ResponseError } from 'petstore/types/client'
import t from 'tap'
import { startService } from '../support/service.js'
import { startOther, watched } from './calls.js'

t.test('a 304 has neither data nor error, and does not compile unless data is checked', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const { response: first } = await client.GET('/pets')
  const params = { header: { 'If-None-Match': first.headers.get('ETag')! }, query: { status: undefined } }
  const loose: FetchOptions<operations['listPets']> | undefined = { params }
  for (const { data, error, response } of [
    await client.GET('/pets', { params }),
    await client.GET('/pets', loose),
    await client.request('get', '/pets', { params })
  ]) {
    t.equal(response.status, 304)
    if (error) throw new ResponseError(error, response)
    // @ts-expect-error: it may be undefined
    const count = () => data.length
    t.throws(count, TypeError)
    t.equal(data?.length, undefined)
  }

  await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
  const { data, error } = await client.GET('/pets', { params })
  t.equal(data?.length, 1)
  t.equal(error, undefined)
  const plain = await client.GET('/pets', { params: { query: { limit: 1 } } })
  if (plain.error) throw new ResponseError(plain.error, plain.response)
  t.equal(plain.data.length, 1, 'without If-None-Match, data needs no check')
})

t.test('a 304 that the types cannot foresee is an error', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const { data, error } = await client.GET('/pets', { headers: { 'if-none-match': '*' } })
  t.equal(data, undefined)
  t.same(error, { code: 'unexpected_response', message: 'Unexpected response with status 304.', status: 304 })
  client.use({ onRequest: ({ request }) => request.headers.set('If-None-Match', '*') })
  t.equal((await client.GET('/pets')).error?.status, 304)
  await t.rejects(pages(client, '/pets').next(), { name: 'ResponseError', body: error })
})

t.test('whatever answers in place of the service, a call has its data or an error with code, message and status', async (t) => {
  const unexpected = (status: number) => ({
    code: 'unexpected_response',
    message: `Unexpected response with status ${status}.`,
    status
  })
  const html = { 'Content-Type': 'text/html' }
  const json = { 'Content-Type': 'application/json' }
  const cases: [title: string, status: number, headers: Record<string, string>, body: string, error: object][] = [
    ['HTML of a proxy', 502, html, '<h1>Bad Gateway</h1>', unexpected(502)],
    ['an empty body', 502, { 'Content-Length': '0' }, '', unexpected(502)],
    ['an empty body of unknown length', 403, {}, '', unexpected(403)],
    ['null', 500, json, 'null', unexpected(500)],
    ['an empty text', 500, json, '""', unexpected(500)],
    ['a body that ends too soon', 500, json, '{"code":', unexpected(500)],
    ['the body of a gateway', 403, json, '{"message":"Forbidden"}', { ...unexpected(403), message: 'Forbidden' }],
    ['a redirection', 302, {}, '', unexpected(302)],
    ['no data', 200, { 'Content-Length': '0' }, '', unexpected(200)],
    ['no data of unknown length', 200, json, '', unexpected(200)],
    ['no data', 204, {}, '', unexpected(204)]
  ]
  let [, status, headers, body] = cases[0]!
  const root = await startOther(t, (_request, response) => response.writeHead(status, headers).end(body))
  const { client } = watched(root)
  for (const [title, ...expected] of cases) {
    let error: object
    [status, headers, body, error] = expected
    const result = await client.GET('/pets', { redirect: 'manual' })
    t.same([result.error, result.data, result.response.status], [error, undefined, status], `${status}: ${title}`)
  }

  const cancel = () => client.DELETE('/store/orders/{orderId}', { params: { path: { orderId: 1 } } })
  t.same((await cancel()).error, undefined, 'a 204 has no data where the document says so')
  t.equal((await client.GET('/pets', { parseAs: 'stream' })).error?.code, 'unexpected_response')
  const head = client.HEAD as (path: string) => Promise<{ error?: object }>
  t.equal((await head('/pets')).error, undefined, 'a HEAD never has data')
  status = 404
  t.same((await head('/pets')).error, unexpected(404), 'a HEAD that fails')
  ;[status, headers, body] = [200, html, '<h1>Welcome to this network</h1>']
  await t.rejects(client.GET('/pets'), SyntaxError, 'data that is not JSON rejects the call')
})

t.test('what another server answers to pages is thrown', async (t) => {
  const root = await startOther(t, (_request, response) => response.writeHead(200, { 'Content-Length': '0' }).end())
  await t.rejects(pages(watched(root).client, '/pets').next(), { name: 'ResponseError', body: { status: 200 } })
})
