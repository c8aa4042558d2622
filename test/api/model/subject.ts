import type { Test } from 'tap'
import { encodeCursor } from '../../../src/domain/pages.js'
import { PLANS } from '../../../src/domain/plans.js'
import { openDatabase } from '../../../src/storage/database/open.js'
import { openStorage, type Repositories } from '../../../src/storage/open.js'
import type { Service } from '../../support/service.js'
import type { Call } from './shop.js'

const ADDRESS_LIMIT = String(PLANS.free.perMinute)

/** What is under test: servers that share their storage, and the program that works on it beside them. */
export interface Subject {
  servers: Service['call'][]
  cli: Repositories
  /** Takes all pets and orders away, beside the servers. */
  empty(): Promise<void>
  /** Makes the key of a guest. */
  makeGuest(): Promise<{ id: string; secret: string }>
  /** How many calls a guest has. */
  guestCalls: number
}

/** Opens the storage of servers beside them, as the program does, until the test ends. */
export async function openBeside (t: Test, url: string): Promise<Pick<Subject, 'cli' | 'empty'>> {
  const database = await openDatabase(url, { owner: false })
  t.teardown(() => database.close())
  const { repositories, close } = await openStorage(url, { owner: false })
  t.teardown(close)
  const empty = (): Promise<void> =>
    database.transaction(async ({ write }) => {
      await write('DELETE FROM orders')
      await write('DELETE FROM pets')
    })
  return { cli: repositories, empty }
}

/** How a call is made. */
export interface Way {
  /** Which of the servers is asked. */
  server: number
  /** A read without its body. */
  head: boolean
  /** The ETag of an answer that the caller has. */
  tag: string | undefined
  /** The key of the guest. */
  guest: { id: string; secret: string }
}

/** What came of a call; `next` is the Link to the next page. */
export interface Answer {
  status: number
  text: string
  next?: string | undefined
  tag?: string | undefined
}

/** Makes a call. */
export async function make ({ servers, cli }: Subject, call: Call, way: Way): Promise<Answer> {
  const server = servers[way.server % servers.length]!
  const send = async (method: string, path: string, body?: object): Promise<Answer> =>
    answerOf(await server(method, path, { body }))
  switch (call.kind) {
    case 'create': {
      const { by, name, categoryId, status } = call
      const pet = { name, categoryId, ...(status && { status }) }
      return by === 'api' ? await send('POST', '/pets', pet) : printed(201, await cli.pets.create(pet))
    }
    case 'place':
      return await send('POST', '/store/orders', { petId: call.petId, quantity: call.quantity })
    case 'cancel':
      return await send('DELETE', `/store/orders/${call.orderId}`)
    case 'complete': {
      const order = await cli.orders.complete(call.orderId)
      return order ? printed(200, order) : printed(404, {})
    }
    case 'stock':
      return await send('PATCH', `/inventory/${call.petId}`, { quantity: call.quantity })
    case 'get':
    case 'list': {
      const headers = way.tag === undefined ? {} : { 'if-none-match': way.tag }
      return answerOf(await server(way.head ? 'HEAD' : 'GET', addressOf(call), { headers }))
    }
    case 'guest': {
      const codes: string[] = []
      for (let time = 0; time < call.times; time++) {
        const { status, headers, json } = await server('GET', '/pets?limit=1', { key: way.guest.secret })
        // Without a valid key a call is counted against its address, which many of them bring to its limit.
        const isKnown = headers.get('x-ratelimit-limit') !== ADDRESS_LIMIT
        codes.push(status === 200 ? 'ok' : isKnown ? json.code : 'unauthorized')
      }
      return { status: 200, text: codes.join(' ') }
    }
    case 'unban':
      return printed(200, (await cli.apiKeys.change(way.guest.id, { ban: null }))!)
    case 'revoke':
      return printed(200, (await cli.apiKeys.revoke(way.guest.id, new Date()))!)
  }
}

/** The path and query of a read. */
export function addressOf (call: Extract<Call, { kind: 'get' | 'list' }>): string {
  if (call.kind === 'get') return `/pets/${call.petId}`
  const query = new URLSearchParams()
  if (call.status) query.set('status', call.status)
  if (call.limit) query.set('limit', String(call.limit))
  if (call.after > 0) query.set('cursor', encodeCursor(call.after))
  return query.size > 0 ? `${call.list}?${query}` : call.list
}

function answerOf ({ status, text, headers }: Awaited<ReturnType<Service['call']>>): Answer {
  const [next] = /<[^>]*>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return { status, text, next, tag: headers.get('etag') ?? undefined }
}

function printed (status: number, value: object): Answer {
  return { status, text: JSON.stringify(value) }
}
