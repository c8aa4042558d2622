import { operationsOf } from '../../src/contract/operation/operation.js'
import type { ErrorCode } from '../../src/domain/errors.js'
import { SCOPE_NAMES } from '../../src/domain/scopes.js'
import { document, type Service } from '../support/service.js'

/** What a call came to. */
export interface Outcome {
  status: number
  body?: any
  code?: ErrorCode
  wait?: string | null
}
/** The operations by their names. */
export type Store = Record<string, (argument?: object) => Promise<Outcome>>
export interface Options {
  baseUrl: string
  key?: string
  spoil?: (request: Request) => Request
}

/** Arguments with which an operation succeeds. */
export const GOOD: Record<string, object | undefined> = {
  createPet: { name: 'Rex', categoryId: 7 },
  getPet: { petId: 1 },
  createCategory: { name: 'Dogs' },
  placeOrder: { petId: 1 },
  cancelOrder: { orderId: 1 },
  updateInventory: { petId: 1, quantity: 100 }
}

/** Other arguments with which it does. */
const OTHER: Record<string, object | undefined> = {
  createPet: { name: 'Ada', categoryId: 9 },
  createCategory: { name: 'Cats' },
  placeOrder: { petId: 1, quantity: 2 }
}

export type Open = (options?: Omit<Options, 'baseUrl'>) => Store
type Provoke = (open: Open, operationId: string, service: Service) => Promise<Outcome>

/** How a client comes to each declared status: `operationId status`, or the status where it is the same for all. */
export const PROVOKED: Record<string, Provoke> = {
  'createPet 400': (open) => open().createPet!({ name: '', categoryId: 7 }),
  'getPet 200': async (open) => await open().getPet!({ petId: (await open().createPet!(GOOD.createPet)).body.id }),
  'getPet 400': (open) => open().getPet!({ petId: 1.5 }),
  'getPet 404': (open) => open().getPet!({ petId: 404 }),
  'createCategory 400': (open) => open().createCategory!({ name: '' }),
  'placeOrder 201': (open) => ordered(open),
  'placeOrder 400': (open) => open().placeOrder!({ petId: 1, quantity: 0 }),
  'placeOrder 404': (open) => open().placeOrder!({ petId: 404 }),
  'placeOrder 409': (open) => open().placeOrder!({ petId: 1, quantity: 1_000 }),
  'cancelOrder 204': async (open) => await open().cancelOrder!({ orderId: (await ordered(open)).body.id }),
  'cancelOrder 400': (open) => open().cancelOrder!({ orderId: 1.5 }),
  'cancelOrder 404': (open) => open().cancelOrder!({ orderId: 404 }),
  'cancelOrder 409': async (open, _operationId, { repositories: { orders } }) => {
    const { id } = (await ordered(open)).body
    await orders.complete(id)
    return await open().cancelOrder!({ orderId: id })
  },
  'cancelOrder 412': async (open) => {
    const { id: orderId } = (await ordered(open)).body
    return await open({ spoil: (request) => withHeader(request, 'If-Match', '"x"') }).cancelOrder!({ orderId })
  },
  'updateInventory 400': (open) => open().updateInventory!({ petId: 1, quantity: -1 }),
  'updateInventory 404': (open) => open().updateInventory!({ petId: 404, quantity: 1 }),
  400: (open, operationId) => open()[operationId]!({ limit: 101 }),
  412: (open, operationId) =>
    open({ spoil: (request) => withHeader(request, 'If-Match', '"x"') })[operationId]!(GOOD[operationId]),
  413: (open, operationId) =>
    open({ spoil: (request) => withBody(request, ' '.repeat(16_385)) })[operationId]!(GOOD[operationId]),
  415: (open, operationId) =>
    open({ spoil: (request) => withBody(request, '{}', 'text/plain') })[operationId]!(GOOD[operationId]),
  409: (open, operationId) =>
    Promise.race(
      [1, 2].map(() =>
        open({ spoil: (request) => withHeader(request, 'Idempotency-Key', `${operationId}-409`) })[operationId]!(
          GOOD[operationId]
        )
      )
    ),
  422: async (open, operationId) => {
    const keyed = open({ spoil: (request) => withHeader(request, 'Idempotency-Key', `${operationId}-422`) })
    await keyed[operationId]!(GOOD[operationId])
    return await keyed[operationId]!(OTHER[operationId])
  },
  304: (open, operationId) =>
    open({ spoil: (request) => withHeader(request, 'If-None-Match', '*') })[operationId]!(GOOD[operationId]),
  401: (open, operationId) => open({ key: 'pet_live_not_a_key' })[operationId]!(GOOD[operationId]),
  403: async (open, operationId, { makeKey }) => {
    const needed = operationsOf(document)
      .find((operation) => operation.operationId === operationId)!
      .security.flatMap((requirement) => Object.values(requirement).flat())
    const { secret: key } = await makeKey({ scopes: SCOPE_NAMES.filter((scope) => !needed.includes(scope)) })
    return await open({ key })[operationId]!(GOOD[operationId])
  },
  405: (open, operationId) =>
    open({ spoil: (request) => new Request(request, { method: 'PUT' }) })[operationId]!(GOOD[operationId]),
  429: async (open, operationId, { makeKey }) => {
    const { secret: key } = await makeKey({ plan: 'free' })
    for (let count = 0; count < 60; count++) await open({ key }).listPets!()
    return await open({ key })[operationId]!(GOOD[operationId])
  }
}

/** Orders an animal of which there is enough. */
async function ordered (open: Open): Promise<Outcome> {
  await open().updateInventory!(GOOD.updateInventory)
  return await open().placeOrder!(GOOD.placeOrder)
}

function withBody ({ url, method, headers }: Request, body: string, type = 'application/json'): Request {
  return new Request(url, { method, headers: { ...Object.fromEntries(headers), 'content-type': type }, body })
}

function withHeader (request: Request, name: string, value: string): Request {
  const spoiled = new Request(request)
  spoiled.headers.set(name, value)
  return spoiled
}
