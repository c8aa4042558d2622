import { STRIKES } from '../../../src/domain/bans.js'
import { encodeCursor } from '../../../src/domain/pages.js'

/** The path of a list. */
export type List = '/pets' | '/inventory' | '/store/orders'

/** What can be asked of the shop: of the service, or (`by: 'cli'`) of the program beside it. */
export type Call =
  | { kind: 'create'; by: 'api' | 'cli'; name: string; categoryId: number; status?: Status | undefined }
  | { kind: 'place'; petId: number; quantity: number }
  | { kind: 'cancel'; orderId: number }
  | { kind: 'complete'; orderId: number }
  | { kind: 'stock'; petId: number; quantity: number }
  | { kind: 'get'; petId: number }
  | { kind: 'list'; list: List; status?: Status | undefined; limit?: number | undefined; after: number }
  | { kind: 'guest'; times: number }
  | { kind: 'unban' }
  | { kind: 'revoke' }

export type Status = 'available' | 'pending' | 'sold'

/** What an answer must be; `text` is its body and `next` its Link to the next page. */
export interface Expected {
  status: number
  text?: string
  next?: string | undefined
}

interface Pet {
  id: number
  name: string
  categoryId: number
  status: Status | undefined
  quantity: number
}

interface Order {
  id: number
  petId: number
  quantity: number
  complete: boolean
}

/** A caller, all of whose calls are made in the same minute. */
interface Guest {
  /** How many calls it has left. */
  left: number
  refusals: number
  isBanned: boolean
  isRevoked: boolean
}

/** The rules of the shop, as short as they can be said. */
export class Shop {
  readonly pets: Pet[]
  readonly orders: Order[]
  readonly guest: Guest

  constructor ({ pets, orders, guest }: Pick<Shop, 'pets' | 'orders' | 'guest'>) {
    this.pets = structuredClone(pets)
    this.orders = structuredClone(orders)
    this.guest = { ...guest }
  }

  /** Does what is asked. What is new has the given id, or must not have come about when that is taken or undefined. */
  answer (call: Call, newId: number | undefined): Expected {
    switch (call.kind) {
      case 'create': {
        const { name, categoryId, status } = call
        const pet = { id: added(this.pets, newId), name, categoryId, status, quantity: 1 }
        this.pets.push(pet)
        return { status: 201, text: JSON.stringify(petOf(pet)) }
      }
      case 'place': {
        const pet = withId(this.pets, call.petId)
        if (!pet) return { status: 404 }
        if (pet.status === 'sold' || pet.quantity < call.quantity) return { status: 409 }
        pet.quantity -= call.quantity
        const order = { id: added(this.orders, newId), petId: pet.id, quantity: call.quantity, complete: false }
        this.orders.push(order)
        return { status: 201, text: JSON.stringify(order) }
      }
      case 'cancel': {
        const order = withId(this.orders, call.orderId)
        if (!order) return { status: 404 }
        if (order.complete) return { status: 409 }
        this.orders.splice(this.orders.indexOf(order), 1)
        withId(this.pets, order.petId)!.quantity += order.quantity
        return { status: 204, text: '' }
      }
      case 'complete': {
        const order = withId(this.orders, call.orderId)
        if (!order) return { status: 404 }
        const isFirst = !order.complete
        order.complete = true
        const pet = withId(this.pets, order.petId)!
        const isOpen = this.orders.some(({ petId, complete }) => petId === pet.id && !complete)
        if (isFirst && pet.quantity === 0 && !isOpen) pet.status = 'sold'
        return { status: 200, text: JSON.stringify(order) }
      }
      case 'stock': {
        const pet = withId(this.pets, call.petId)
        if (!pet) return { status: 404 }
        pet.quantity = call.quantity
        return { status: 200, text: JSON.stringify(stockOf(pet)) }
      }
      case 'get': {
        const pet = withId(this.pets, call.petId)
        return pet ? { status: 200, text: JSON.stringify(petOf(pet)) } : { status: 404 }
      }
      case 'list':
        return this.#page(call)
      case 'guest':
        return { status: 200, text: Array.from({ length: call.times }, () => this.#letIn()).join(' ') }
      case 'unban':
        this.guest.isBanned = false
        return { status: 200 }
      case 'revoke':
        this.guest.isRevoked = true
        return { status: 200 }
    }
  }

  /** What one call of the guest is answered with. */
  #letIn (): string {
    const { guest } = this
    if (guest.isRevoked) return 'unauthorized'
    if (!guest.isBanned && guest.left > 0) {
      guest.left--
      return 'ok'
    }
    if (!guest.isBanned && ++guest.refusals % STRIKES === 0) guest.isBanned = true
    return guest.isBanned ? 'key_banned' : 'rate_limited'
  }

  #page ({ list, status, limit, after }: Extract<Call, { kind: 'list' }>): Expected {
    const pets = this.pets.filter((pet) => status === undefined || shownStatus(pet) === status)
    const all: { id: number; item: object }[] = {
      '/pets': pets.map((pet) => ({ id: pet.id, item: petOf(pet) })),
      '/inventory': pets.map((pet) => ({ id: pet.id, item: stockOf(pet) })),
      '/store/orders': this.orders.map((order) => ({ id: order.id, item: order }))
    }[list]
    const most = limit ?? 20
    const fitting = all.sort((one, other) => one.id - other.id).filter(({ id }) => id > after)
    const page = fitting.slice(0, most)
    const filter = status === undefined ? '' : `&status=${status}`
    return {
      status: 200,
      text: JSON.stringify(page.map(({ item }) => item)),
      next:
        fitting.length > most
          ? `<?limit=${most}${filter}&cursor=${encodeCursor(page.at(-1)!.id)}>; rel="next"`
          : undefined
    }
  }
}

function withId<Item extends { id: number }> (items: Item[], id: number): Item | undefined {
  return items.find((item) => item.id === id)
}

/** The id of a new item; one that no answer has when the given one cannot be it. */
function added (items: { id: number }[], id: number | undefined): number {
  return id === undefined || withId(items, id) ? NaN : id
}

function shownStatus ({ status, quantity }: Pet): Status | undefined {
  return status === 'available' && quantity === 0 ? 'pending' : status
}

function petOf (pet: Pet): object {
  const { id, name, categoryId } = pet
  return { id, name, categoryId, status: shownStatus(pet) }
}

function stockOf (pet: Pet): object {
  return { petId: pet.id, quantity: pet.quantity, status: shownStatus(pet) }
}
