import t from 'tap'
import { resolve } from '../../../src/contract/document/reference.js'
import { MEDIA_TYPE, operationsOf, type Operation } from '../../../src/contract/operation/operation.js'
import { ApiError, type ErrorCode } from '../../../src/domain/errors.js'
import { SCOPE_NAMES } from '../../../src/domain/scopes.js'
import { startAnswering } from '../../support/answering.js'
import { document, startService, type Service } from '../../support/service.js'

interface Example {
  operationId: string
  scopes: string[]
  status: string
  name: string
  value: unknown
}

const examples: Example[] = operationsOf(document).flatMap(({ operationId, security, responses }) =>
  [...responses].flatMap(([status, { content }]) => {
    const { examples: named } = (content?.[MEDIA_TYPE] ?? {}) as { examples?: Record<string, unknown> }
    return Object.entries(named ?? {}).map(([name, example]) => {
      const { value } = resolve(document, { value: example, pointer: '' }).value as { value: unknown }
      return { operationId, scopes: Object.values(security[0] ?? {}).flat(), status, name, value }
    })
  })
)

const rex = { name: 'Rex', categoryId: 7, status: 'available' }
const ada = { name: 'Ada', categoryId: 9 }
const dogs = { name: 'Dogs', description: 'Good ones' }
const order = { petId: 1, quantity: 1, shipDate: '2027-01-31T12:00:00Z' }
const CALLS: Record<string, [method: string, path: string]> = {
  listPets: ['GET', '/pets'],
  createPet: ['POST', '/pets'],
  getPet: ['GET', '/pets/1'],
  listCategories: ['GET', '/categories'],
  createCategory: ['POST', '/categories'],
  listOrders: ['GET', '/store/orders'],
  placeOrder: ['POST', '/store/orders'],
  cancelOrder: ['DELETE', '/store/orders/1'],
  listInventory: ['GET', '/inventory'],
  updateInventory: ['PATCH', '/inventory/1']
}

/** The call of an operation. It throws an Error that tells what to add when there is none. */
function callOf (operationId: string): [method: string, path: string] {
  const call = CALLS[operationId]
  if (!call) throw new Error(`Add ${operationId} to CALLS in this file.`)
  return call
}

type Provoke = (service: Service, method: string, path: string, scopes: string[]) => Promise<{ json: unknown }>
/** Makes the pet Rex, with a stock of so many. */
const stocked = async ({ call }: Service, quantity: number) => {
  await call('POST', '/pets', { body: rex })
  return await call('PATCH', '/inventory/1', { body: { quantity } })
}
/** The same key at the same time, and with another body. */
const headers = { 'idempotency-key': 'a' }
const atOnce =
  (body: unknown): Provoke =>
    async ({ call }, method, path) =>
      await Promise.race([1, 2].map(() => call(method, path, { body, headers })))
const reused =
  (body: unknown, other: unknown): Provoke =>
    async ({ call }, method, path) => {
      await call(method, path, { body, headers })
      return await call(method, path, { body: other, headers })
    }

/** How each example comes about: `operationId status name`, or `status name` where it is the same for all. */
const PROVOKED: Record<string, Provoke> = {
  'listPets 200 page': async ({ call }) => {
    for (const body of [rex, ada]) await call('POST', '/pets', { body })
    return await call('GET', '/pets')
  },
  'createPet 201 full': ({ call }) => call('POST', '/pets', { body: rex }),
  'createPet 201 least': async ({ call }) => {
    await call('POST', '/pets', { body: rex })
    return await call('POST', '/pets', { body: ada })
  },
  'createPet 400 missing': ({ call }) => call('POST', '/pets', { body: { categoryId: 7 } }),
  'createPet 400 invalid': ({ call }) => call('POST', '/pets', { body: { ...rex, status: 'lost' } }),
  'createPet 400 unknown': ({ call }) => call('POST', '/pets', { body: { ...ada, stauts: 'sold' } }),
  'createPet 400 several': ({ call }) => call('POST', '/pets', { body: { categoryId: '7' } }),
  'createPet 400 listed': ({ call }) =>
    call('POST', '/pets', { body: { categoryId: '7' }, headers: { prefer: 'errors' } }),
  'createPet 409 inUse': atOnce(rex),
  'createPet 422 reused': reused(rex, ada),
  'createCategory 409 inUse': atOnce(dogs),
  'createCategory 422 reused': reused(dogs, { name: 'Cats' }),
  'placeOrder 409 inUse': async (service, method, path, scopes) => {
    await stocked(service, 2)
    return await atOnce(order)(service, method, path, scopes)
  },
  'placeOrder 422 reused': async (service, method, path, scopes) => {
    await stocked(service, 3)
    return await reused(order, { petId: 1 })(service, method, path, scopes)
  },
  'getPet 200 pet': async ({ call }) => {
    await call('POST', '/pets', { body: rex })
    return await call('GET', '/pets/1')
  },
  'getPet 400 invalid': ({ call }) => call('GET', '/pets/abc'),
  'getPet 400 tooLarge': ({ call }) => call('GET', '/pets/9223372036854775808'),
  'listCategories 200 page': async ({ call }) => {
    for (const body of [dogs, { name: 'Cats' }]) await call('POST', '/categories', { body })
    return await call('GET', '/categories')
  },
  'createCategory 201 full': ({ call }) => call('POST', '/categories', { body: dogs }),
  'createCategory 201 least': async ({ call }) => {
    await call('POST', '/categories', { body: dogs })
    return await call('POST', '/categories', { body: { name: 'Cats' } })
  },
  'createCategory 400 missing': ({ call }) => call('POST', '/categories', { body: {} }),
  'createCategory 400 invalid': ({ call }) => call('POST', '/categories', { body: { name: '' } }),
  'listOrders 200 page': async (service) => {
    await stocked(service, 3)
    for (const body of [order, { petId: 1 }]) await service.call('POST', '/store/orders', { body })
    return await service.call('GET', '/store/orders')
  },
  'placeOrder 201 full': async (service) => {
    await stocked(service, 2)
    return await service.call('POST', '/store/orders', { body: order })
  },
  'placeOrder 201 least': async (service) => {
    await stocked(service, 3)
    await service.call('POST', '/store/orders', { body: order })
    return await service.call('POST', '/store/orders', { body: { petId: 1 } })
  },
  'placeOrder 400 missing': ({ call }) => call('POST', '/store/orders', { body: { quantity: 1 } }),
  'placeOrder 400 invalid': ({ call }) => call('POST', '/store/orders', { body: { ...order, quantity: 0 } }),
  'placeOrder 400 date': ({ call }) =>
    call('POST', '/store/orders', { body: { ...order, shipDate: '2027-02-29T12:00:00Z' } }),
  'placeOrder 404 missing': ({ call }) => call('POST', '/store/orders', { body: order }),
  'placeOrder 409 stock': async (service) => {
    await stocked(service, 0)
    return await service.call('POST', '/store/orders', { body: order })
  },
  'placeOrder 409 sold': async ({ call }) => {
    await call('POST', '/pets', { body: { ...rex, status: 'sold' } })
    return await call('POST', '/store/orders', { body: { petId: 1 } })
  },
  'cancelOrder 400 invalid': ({ call }) => call('DELETE', '/store/orders/abc'),
  'cancelOrder 409 complete': async (service) => {
    await stocked(service, 2)
    await service.call('POST', '/store/orders', { body: order })
    await service.repositories.orders.complete(1)
    return await service.call('DELETE', '/store/orders/1')
  },
  'listInventory 200 page': async (service) => {
    await stocked(service, 3)
    await service.call('POST', '/pets', { body: ada })
    return await service.call('GET', '/inventory')
  },
  'updateInventory 200 restock': (service) => stocked(service, 3),
  'updateInventory 400 missing': ({ call }) => call('PATCH', '/inventory/1', { body: {} }),
  'updateInventory 400 invalid': ({ call }) => call('PATCH', '/inventory/1', { body: { quantity: -1 } }),
  'updateInventory 404 missing': ({ call }) => call('PATCH', '/inventory/1', { body: { quantity: 1 } }),
  '400 malformed': ({ call }, method, path) => call(method, path, { raw: '{"name":' }),
  '400 tooMany': ({ call }, method, path) => call(method, `${path}?limit=101`),
  '400 unknown': ({ call }, method, path) => call(method, `${path}?stauts=sold`),
  '400 cursor': ({ call }, method, path) => call(method, `${path}?cursor=x`),
  '401 unauthorized': ({ call }, method, path) => call(method, path, { key: undefined }),
  '403 forbidden': async ({ call, makeKey }, method, path, scopes) => {
    const { secret: key } = await makeKey({ scopes: SCOPE_NAMES.filter((scope) => !scopes.includes(scope)) })
    return await call(method, path, { key })
  },
  '404 missing': ({ call }, method, path) => call(method, path),
  '405 methodNotAllowed': ({ call }, _method, path) => call('PUT', path),
  '412 preconditionFailed': async (_empty, method, path) => {
    const service = await startService(t)
    for (const [to, body] of [['/pets', rex], ['/store/orders', order]] as const) await service.call('POST', to, { body })
    const body = { pets: rex, categories: dogs, store: order, inventory: { quantity: 1 } }[path.split('/')[1]!]
    return await service.call(method, path, { ...(/^P/.test(method) ? { body } : {}), headers: { 'if-match': '"x"' } })
  },
  '413 payloadTooLarge': ({ call }, method, path) => call(method, path, { raw: ' '.repeat(16_385) }),
  '415 unsupportedMediaType': ({ call }, method, path) =>
    call(method, path, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  '429 rateLimited': async ({ call, makeKey }, method, path) => {
    const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
    await call('GET', '/pets', { key })
    return await call(method, path, { key })
  },
  '429 keyBanned': async ({ call, makeKey, clock }, method, path) => {
    const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
    for (let i = 0; i < 12; i++, clock.advance(i === 2 ? 1_000 : 0)) await call('GET', '/pets', { key })
    return await call(method, path, { key })
  }
}

/**
 * One service without records for all examples that need none, and one for each status that no call by itself can bring
 * about.
 */
const empty = new Map<string, Promise<Service>>()
function emptyService (status: string): Promise<Service> {
  const kind = startAnswering[status] ? status : 'any'
  const service = empty.get(kind) ?? (startAnswering[status] ?? startService)(t)
  empty.set(kind, service)
  return service
}

for (const { operationId, scopes, status, name, value } of examples) {
  t.test(`the example '${name}' of ${operationId} ${status} is a true answer`, async (t) => {
    const [method, path] = callOf(operationId)
    const general = `${status} ${name}`
    // A timeout comes from a connection and takes 15 seconds to provoke; the text is the same.
    if (general === '408 requestTimeout') {
      t.same(new ApiError('request_timeout' satisfies ErrorCode).body, value)
      return
    }
    const own = PROVOKED[`${operationId} ${general}`]
    const provoke = own ?? PROVOKED[general] ?? (({ call }, method, path) => call(method, path))
    if (!own && !PROVOKED[general]) {
      t.ok(startAnswering[status], `PROVOKED in this file tells how '${operationId} ${general}' comes about`)
    }
    const service = own ? await startService(t) : await emptyService(status)
    t.same((await provoke(service, method, path, scopes)).json, value)
  })
}

/** The examples of the body that a request to an operation has; none where it has no body. */
function bodyExamplesOf ({ method, path }: Operation): unknown[] {
  const { content } = document.paths![path]![method]!.requestBody ?? {}
  const { examples = {} } = (content?.[MEDIA_TYPE] ?? {}) as { examples?: Record<string, { value: unknown }> }
  return Object.values(examples).map(({ value }) => value)
}

t.test('every body of the document has an example, and the example of every body is taken', async (t) => {
  const operations = operationsOf(document)
  const [firstPet] = bodyExamplesOf(operations.find(({ operationId }) => operationId === 'createPet')!)
  for (const operation of operations) {
    const { operationId, method, path, body, responses } = operation
    for (const [status, { content }] of responses) {
      t.ok(
        examples.some((example) => example.operationId === operationId && example.status === status) || !content,
        `${operationId} ${status}`
      )
    }
    const sent = bodyExamplesOf(operation)
    t.equal(sent.length > 0, body !== undefined, `${operationId}: the body of a request`)
    for (const value of sent) {
      const service = await startService(t)
      // All others speak of the animal that the first example makes, with the stock that a new one has.
      if (path !== '/pets') await service.call('POST', '/pets', { body: firstPet })
      const reply = await service.call(...callOf(operationId), { body: value })
      t.equal(reply.status, method === 'post' ? 201 : 200, operationId)
    }
  }
})
