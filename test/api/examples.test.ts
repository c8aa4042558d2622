import t from 'tap'
import { MEDIA_TYPE, operationsOf } from '../../src/contract/operation.js'
import { resolve } from '../../src/contract/reference.js'
import { ApiError, type ErrorCode } from '../../src/domain/errors.js'
import { SCOPE_NAMES } from '../../src/domain/scopes.js'
import { startAnswering } from '../support/answering.js'
import { document, startService, type Service } from '../support/service.js'

interface Example { operationId: string, scopes: string[], status: string, name: string, value: unknown }

const examples: Example[] = operationsOf(document).flatMap(({ operationId, security, responses }) => [...responses].flatMap(([status, { content }]) => {
  const { examples: named } = (content?.[MEDIA_TYPE] ?? {}) as { examples?: Record<string, unknown> }
  return Object.entries(named ?? {}).map(([name, example]) => {
    const { value } = resolve(document, { value: example, pointer: '' }).value as { value: unknown }
    return { operationId, scopes: Object.values(security[0] ?? {}).flat(), status, name, value }
  })
}))

const rex = { name: 'Rex', categoryId: 7, status: 'available' }
const ada = { name: 'Ada', categoryId: 9 }
const CALLS: Record<string, [method: string, path: string]> = { listPets: ['GET', '/pets'], createPet: ['POST', '/pets'], getPet: ['GET', '/pets/1'] }

type Provoke = (service: Service, method: string, path: string, scopes: string[]) => Promise<{ json: unknown }>

/** How each example comes about: `operationId status name`, or `status name` where it is the same for all. */
const PROVOKED: Record<string, Provoke> = {
  'listPets 200 page': async ({ call }) => { for (const body of [rex, ada]) await call('POST', '/pets', { body }); return await call('GET', '/pets') },
  'listPets 400 tooMany': ({ call }) => call('GET', '/pets?limit=101'),
  'listPets 400 unknown': ({ call }) => call('GET', '/pets?stauts=sold'),
  'listPets 400 cursor': ({ call }) => call('GET', '/pets?cursor=x'),
  'createPet 201 full': ({ call }) => call('POST', '/pets', { body: rex }),
  'createPet 201 least': async ({ call }) => { await call('POST', '/pets', { body: rex }); return await call('POST', '/pets', { body: ada }) },
  'createPet 400 missing': ({ call }) => call('POST', '/pets', { body: { categoryId: 7 } }),
  'createPet 400 invalid': ({ call }) => call('POST', '/pets', { body: { ...rex, status: 'lost' } }),
  'createPet 400 unknown': ({ call }) => call('POST', '/pets', { body: { ...ada, stauts: 'sold' } }),
  'createPet 400 malformed': ({ call }) => call('POST', '/pets', { raw: '{"name":' }),
  '409 inUse': ({ call }, method, path) => Promise.race([1, 2].map(() => call(method, path, { body: rex, headers: { 'idempotency-key': 'a' } }))),
  'createPet 413 payloadTooLarge': ({ call }) => call('POST', '/pets', { raw: ' '.repeat(16_385) }),
  'createPet 415 unsupportedMediaType': ({ call }) => call('POST', '/pets', { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  'createPet 422 reused': async ({ call }) => {
    const headers = { 'idempotency-key': 'a' }
    await call('POST', '/pets', { body: rex, headers })
    return await call('POST', '/pets', { body: ada, headers })
  },
  'getPet 200 pet': async ({ call }) => { await call('POST', '/pets', { body: rex }); return await call('GET', '/pets/1') },
  'getPet 400 invalid': ({ call }) => call('GET', '/pets/abc'),
  'getPet 400 tooLarge': ({ call }) => call('GET', '/pets/9223372036854775808'),
  'getPet 404 missing': ({ call }) => call('GET', '/pets/1'),
  '401 unauthorized': ({ call }, method, path) => call(method, path, { key: undefined }),
  '403 forbidden': async ({ call, makeKey }, method, path, scopes) => {
    const { secret: key } = await makeKey({ scopes: SCOPE_NAMES.filter((scope) => !scopes.includes(scope)) })
    return await call(method, path, { key })
  },
  '405 methodNotAllowed': ({ call }, _method, path) => call('DELETE', path),
  '429 rateLimited': async ({ call, makeKey }, method, path) => {
    const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
    await call('GET', '/pets', { key })
    return await call(method, path, { key })
  },
  '429 keyBanned': async ({ call, makeKey }, method, path) => {
    const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
    for (let i = 0; i < 11; i++) await call('GET', '/pets', { key })
    return await call(method, path, { key })
  }
}

for (const { operationId, scopes, status, name, value } of examples) {
  t.test(`the example '${name}' of ${operationId} ${status} is a true answer`, async (t) => {
    const [method, path] = CALLS[operationId]!
    const general = `${status} ${name}`
    // A timeout comes from a connection and takes 15 seconds to provoke; the text is the same.
    if (general === '408 requestTimeout') {
      t.same(new ApiError('request_timeout' satisfies ErrorCode).body, value)
      return
    }
    const provoke = PROVOKED[`${operationId} ${general}`] ?? PROVOKED[general] ?? (({ call }, method, path) => call(method, path))
    if (!PROVOKED[`${operationId} ${general}`] && !PROVOKED[general]) t.ok(startAnswering[status], 'the test knows how to provoke it')
    const service = await (startAnswering[status] ?? startService)(t)
    t.same((await provoke(service, method, path, scopes)).json, value)
  })
}

t.test('every body of the document has an example', async (t) => {
  for (const { operationId, body, responses } of operationsOf(document)) {
    for (const [status, { content }] of responses) t.ok(examples.some((example) => example.operationId === operationId && example.status === status) || !content, `${operationId} ${status}`)
    if (!body) continue
    const { requestBody } = document.paths!['/pets']!.post!
    for (const { value } of Object.values((requestBody!.content[MEDIA_TYPE] as { examples: Record<string, { value: unknown }> }).examples)) {
      const { call } = await startService(t)
      t.equal((await call('POST', '/pets', { body: value })).status, 201)
    }
  }
})
