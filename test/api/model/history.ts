import fc from 'fast-check'
import { Shop, type Call, type Expected, type List, type Status } from './shop.js'
import { addressOf, make, type Answer, type Subject, type Way } from './subject.js'

/** A call that is planned before it is known which pets and orders there will be: their places instead of their ids. */
interface Planned {
  call: Call
  server: number
  head: boolean
  conditional: boolean
}

const place = fc.nat({ max: 5 })
const quantity = fc.nat({ max: 3 })
const optionalStatus = fc.constantFrom<(Status | undefined)[]>(undefined, 'available', 'available', 'pending', 'sold')
const kind = <Kind extends Call['kind']>(name: Kind) => fc.constant(name)
const read: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: kind('get'), petId: place }),
  ...Array.from({ length: 3 }, () =>
    fc.record({
      kind: kind('list'),
      list: fc.constantFrom<List[]>('/pets', '/pets', '/inventory', '/store/orders'),
      status: optionalStatus,
      limit: fc.constantFrom(undefined, 1, 2, 100),
      after: fc.oneof(fc.constant(-1), fc.constant(-1), place)
    })
  )
)
const write: fc.Arbitrary<Call> = fc.oneof(
  ...Array.from({ length: 2 }, () =>
    fc.record({
      kind: kind('create'),
      by: fc.constantFrom('api', 'api', 'cli'),
      name: fc.constantFrom('Rex', 'Ada "the cat" \u2028', 'Zoë'),
      categoryId: fc.constantFrom(1, -7, Number.MAX_SAFE_INTEGER),
      status: optionalStatus
    })
  ),
  fc.record({ kind: kind('place'), petId: place, quantity: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: kind('place'), petId: place, quantity: fc.constant(1) }),
  fc.record({ kind: kind('cancel'), orderId: place }),
  fc.record({ kind: kind('complete'), orderId: place }),
  fc.record({ kind: kind('stock'), petId: place, quantity })
)
const ofGuest: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ kind: kind('guest'), times: fc.constantFrom(1, 2, 8, 16) }),
  fc.record({ kind: kind('guest'), times: fc.constant(1) }),
  fc.record({ kind: kind('unban') }),
  fc.record({ kind: kind('revoke') })
)
const planned = fc.record<Planned>({
  call: fc.oneof(
    { weight: 6, arbitrary: read },
    { weight: 5, arbitrary: write },
    { weight: 1, arbitrary: ofGuest }
  ),
  server: fc.nat({ max: 2 }),
  head: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
  conditional: fc.boolean()
})
/** Calls that are made at once, one group after the other. */
const history = fc.array(fc.array(planned, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 30,
  size: 'max'
})

/** Everything that can be seen, in the end. */
const EVERYTHING: Planned[] = (['/pets', '/inventory', '/store/orders'] as const).map((list, server) => ({
  call: { kind: 'list', list, limit: 100, after: -1 },
  server,
  head: false,
  conditional: true
}))

/**
 * Makes random histories of calls. Throws when the answers to calls that were made at once are not those that a shop
 * gives when it does the calls one after the other, in some order (linearizability), or when two answers have the same
 * ETag but not the same body and Link, or the other way round.
 */
export async function doesAsTheShop (subject: Subject, numRuns: number): Promise<{ calls: number; kept: number }> {
  const tags = new Tags()
  const count = { calls: 0, kept: 0 }
  await fc.assert(
    fc.asyncProperty(history, async (groups) => {
      await subject.empty()
      const guest = await subject.makeGuest()
      const known = new Map<string, string>()
      const { guestCalls: left } = subject
      let shops = [new Shop({ pets: [], orders: [], guest: { left, refusals: 0, isBanned: false, isRevoked: false } })]
      for (const group of [...groups, ...EVERYTHING.map((last) => [last])]) {
        const made = await Promise.all(
          alone(group).map(async ({ call: plan, conditional, ...how }): Promise<Made> => {
            const call = called(plan, shops[0]!)
            const address = isRead(call) ? addressOf(call) : ''
            const way = { ...how, guest, tag: conditional ? known.get(address) : undefined }
            const answer = await make(subject, call, way)
            if (isRead(call) && answer.tag) known.set(address, answer.tag)
            return { call, way, answer }
          })
        )
        count.calls += made.length
        count.kept += made.filter(({ answer }) => answer.status === 304).length
        for (const { call, way, answer } of made) if (isRead(call) && !way.head) tags.add(answer)
        const after = shops.flatMap((shop) => shopsAfter(shop, made, tags))
        if (after.length === 0) throw new Error(`${JSON.stringify(shops)} does not answer ${JSON.stringify(made)}`)
        shops = [...new Map(after.map((shop) => [JSON.stringify(shop), shop])).values()]
      }
    }),
    { numRuns }
  )
  return count
}

interface Made {
  call: Call
  way: Way
  answer: Answer
}

/** The bodies with Links that were seen, and their ETags. */
class Tags {
  readonly #byContent = new Map<string, string>()
  readonly #contents = new Map<string, string>()

  add ({ status, text, next, tag }: Answer): void {
    if (status !== 200) return
    const content = contentOf({ text, next })
    const [tagBefore, contentBefore] = [this.#byContent.get(content), this.#contents.get(tag!)]
    if ((tagBefore ?? tag) !== tag || (contentBefore ?? content) !== content) {
      throw new Error(`${content} has the ETag ${tag}, but ${tagBefore} before, and ${contentBefore} had this one`)
    }
    this.#byContent.set(content, tag!)
    this.#contents.set(tag!, content)
  }

  /** Whether the tag is that of these, as far as is known. */
  fits (tag: string | undefined, expected: Expected): boolean {
    const content = contentOf(expected)
    if (tag === undefined) return false
    return (this.#byContent.get(content) ?? tag) === tag && (this.#contents.get(tag) ?? content) === content
  }
}

function contentOf ({ text, next = '' }: Pick<Expected, 'text' | 'next'>): string {
  return `${next} ${text}`
}

/** The states in which a shop may be that has answered these calls so, each once, in any order. */
function shopsAfter (shop: Shop, made: readonly Made[], tags: Tags): Shop[] {
  if (made.length === 0) return [shop]
  return made.flatMap(({ call, way, answer }, index) => {
    const after = new Shop(shop)
    const newId = answer.status === 201 ? (JSON.parse(answer.text).id as number) : undefined
    const expected = after.answer(call, newId)
    const isTagged = isRead(call) && expected.status === 200
    const fits = isTagged ? fitsRead(expected, way, answer, tags) : fitsWrite(expected, answer)
    return fits ? shopsAfter(after, made.toSpliced(index, 1), tags) : []
  })
}

function fitsWrite ({ status, text }: Expected, answer: Answer): boolean {
  return answer.status === status && (text ?? answer.text) === answer.text
}

function fitsRead (expected: Expected, { head, tag }: Way, answer: Answer, tags: Tags): boolean {
  const status = tag === answer.tag ? 304 : 200
  const text = head || status === 304 ? '' : expected.text
  return (
    answer.status === status &&
    answer.text === text &&
    answer.next === expected.next &&
    tags.fits(answer.tag, expected)
  )
}

function isRead (call: Call): call is Extract<Call, { kind: 'get' | 'list' }> {
  return call.kind === 'get' || call.kind === 'list'
}

/** The same group, in which a guest that calls several times in a row is alone with its key. */
function alone (group: Planned[]): Planned[] {
  const guests = group.filter(({ call }) => ['guest', 'unban', 'revoke'].includes(call.kind))
  if (guests.length < 2) return group
  return group.map((one) => (one.call.kind === 'guest' ? { ...one, call: { ...one.call, times: 1 } } : one))
}

/** The call with ids in the place of places; a place where nothing is has an id that nothing has. */
function called (call: Call, { pets, orders }: Shop): Call {
  const idAt = (items: { id: number }[], place: number) => items[place]?.id ?? 2 ** 40 + place
  switch (call.kind) {
    case 'place':
    case 'stock':
    case 'get':
      return { ...call, petId: idAt(pets, call.petId) }
    case 'cancel':
    case 'complete':
      return { ...call, orderId: idAt(orders, call.orderId) }
    case 'list': {
      const isOfOrders = call.list === '/store/orders'
      const after = call.after < 0 ? 0 : idAt(isOfOrders ? orders : pets, call.after)
      return { ...call, after, status: isOfOrders ? undefined : call.status }
    }
    default:
      return call
  }
}
