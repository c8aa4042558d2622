import t from 'tap'
import { createKey } from '../../../src/cli/keys.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { SCOPE_NAMES, type Scope } from '../../../src/domain/scopes.js'
import { COME_IN as responses, startGate } from '../../support/gate.js'
import { document, startService } from '../../support/service.js'

t.test('every operation of the document asks for one scope: to read for GET, to write for the others', async (t) => {
  for (const { operationId, method, security } of operationsOf(document)) {
    const [{ bearerAuth: scopes = [] } = {}, ...others] = security
    t.same([scopes.length, others], [1, []], operationId)
    t.match(scopes[0], method === 'get' ? /:read$/ : /:write$/, operationId)
  }
})

t.test('a key does what its scopes say, and no more', async (t) => {
  const { call, makeKey } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  const calls: [method: string, path: string, scope: Scope, status: number, body?: object][] = [
    ['GET', '/pets', 'pets:read', 200],
    ['HEAD', '/pets', 'pets:read', 200],
    ['GET', '/pets/1', 'pets:read', 200],
    ['POST', '/pets', 'pets:write', 201, { name: 'Rex', categoryId: 7 }]
  ]
  for (const scope of SCOPE_NAMES) {
    const { secret: key } = await makeKey({ scopes: [scope] })
    for (const [method, path, needed, status, body] of calls) {
      t.equal(
        (await call(method, path, { key, body })).status,
        scope === needed ? status : 403,
        `${method} ${path} with ${scope}`
      )
    }
  }
  const { secret: all } = await makeKey()
  for (const [method, path, , status, body] of calls) {
    t.equal((await call(method, path, { key: all, body })).status, status, `${method} ${path} with all`)
  }
})

t.test(
  'a 403 says which scope is lacking, in words and for programs, is counted, and comes before the body is read',
  async (t) => {
    const { call, makeKey } = await startService(t)
    const { secret: key } = await makeKey({ scopes: ['pets:read', 'store:read'] })
    await call('GET', '/pets', { key })
    const { status, json, headers } = await call('POST', '/pets', {
      key,
      raw: 'x'.repeat(20_000),
      headers: { 'content-type': 'text/plain' }
    })
    t.same(
      [status, json],
      [403, { code: 'forbidden', message: 'This API key lacks the scope pets:write.', status: 403 }]
    )
    t.equal(headers.get('www-authenticate'), 'Bearer realm="petstore", error="insufficient_scope", scope="pets:write"')
    t.equal(headers.get('x-ratelimit-remaining'), '58')
  }
)

t.test('what is no operation needs a key and no scope', async (t) => {
  const { call, makeKey } = await startService(t)
  const { secret: key } = await makeKey({ scopes: ['store:read'] })
  t.equal((await call('GET', '/nope', { key })).status, 404)
  t.equal((await call('DELETE', '/pets', { key })).status, 405)
  t.equal((await call('OPTIONS', '/pets', { key })).status, 204)
})

t.test('of several requirements one must be met, with all its scopes', async (t) => {
  const needs = (...alternatives: string[][]) => alternatives.map((bearerAuth) => ({ bearerAuth }))
  const doors: Record<string, { security?: object[] }> = {
    inherited: {},
    key: { security: needs([]) },
    both: { security: needs(['pets:read', 'store:read']) },
    either: { security: needs(['pets:read'], ['store:read', 'store:write']) },
    keyOrScope: { security: needs(['pets:read'], []) },
    open: { security: [] },
    openOrScope: { security: [{}, ...needs(['pets:read'])] }
  }
  const { ask, apiKeys } = await startGate(t, {
    security: needs(['store:write']),
    paths: Object.fromEntries(
      Object.entries(doors).map(([operationId, more]) => [
        `/${operationId}`,
        { get: { operationId, responses, ...more } }
      ])
    )
  })
  const wanted: [scopes: Scope[] | undefined, statuses: number[]][] = [
    [['pets:read'], [403, 200, 403, 200, 200, 200, 200]],
    [['store:read'], [403, 200, 403, 403, 200, 200, 200]],
    [
      ['store:read', 'store:write'],
      [200, 200, 403, 200, 200, 200, 200]
    ],
    [
      ['pets:read', 'store:read'],
      [403, 200, 200, 200, 200, 200, 200]
    ],
    [['pets:write'], [403, 200, 403, 403, 200, 200, 200]],
    [undefined, [200, 200, 200, 200, 200, 200, 200]]
  ]
  for (const [scopes, statuses] of wanted) {
    const { secret } = await createKey(apiKeys, { plan: 'free', name: 'test', scopes: scopes ?? null })
    const answers = await Promise.all(Object.keys(doors).map((name) => ask('GET', `/${name}`, secret)))
    t.same(
      answers.map(({ statusCode }) => statusCode),
      statuses,
      String(scopes ?? 'all')
    )
    const both = answers[2]!
    if (both.statusCode !== 403) continue
    t.match(both.headers['www-authenticate'], /scope="pets:read store:read"$/)
    const missing = ['pets:read', 'store:read'].filter((scope) => !scopes!.includes(scope as Scope))
    t.equal(both.json().message, `This API key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`)
  }
  const strangers = await Promise.all(Object.keys(doors).map((name) => ask('GET', `/${name}`)))
  t.same(
    strangers.map(({ statusCode }) => statusCode),
    [401, 401, 401, 401, 401, 200, 200]
  )
})
