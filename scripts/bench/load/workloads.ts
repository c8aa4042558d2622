import type { Exchange } from './connection.js'
import { LIST, NEW_PET, type Dataset } from './dataset.js'

/** The kinds of load, and what each asks for. */
export const WORKLOADS = {
  L: `GET ${LIST}`,
  G: 'GET /v1/pets/{petId}, random ids',
  C: 'POST /v1/pets',
  M: '80 % L at random cursors, 15 % G, 5 % C'
}

/** The name of a kind of load. */
export type Workload = keyof typeof WORKLOADS

/** Whether a server works or answers each operation with one and the same body. */
export type Answering = 'real' | 'constant'

/** Gives the next request of a workload, with what its answer must be, each time it is called. */
export function requestsOf (workload: Workload, dataset: Dataset, key: string, answering: Answering): () => Exchange {
  const constant = answering === 'constant'
  const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n`
  const get = (path: string) => `GET ${path} ${head}\r\n`
  const { pages, pets, answers } = dataset

  const firstPage = expecting(get(LIST), 200, answers.list.body)
  const anyPage = pages.map(({ cursor, body }) =>
    expecting(get(`${LIST}&cursor=${cursor}`), 200, constant ? answers.list.body : body)
  )
  const anyPet = (): Exchange => {
    const pet = oneOf(pets)
    return expecting(get(`/v1/pets/${pet.id}`), 200, constant ? answers.get.body : JSON.stringify(pet))
  }
  const create = creating(head)
  const mixed = (): Exchange => {
    const chance = Math.random()
    if (chance < 0.8) return oneOf(anyPage)
    return chance < 0.95 ? anyPet() : create
  }
  return { L: () => firstPage, G: anyPet, C: () => create, M: mixed }[workload]
}

function creating (head: string): Exchange {
  const created = new RegExp(`^\\{"id":\\d+,${NEW_PET.slice(1, -1)}\\}$`)
  const fields = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(NEW_PET)}\r\n`
  return {
    request: `POST /v1/pets ${head}${fields}\r\n${NEW_PET}`,
    isRight: (status, body) => status === 201 && created.test(body)
  }
}

function expecting (request: string, status: number, text: string): Exchange {
  const expected = Buffer.from(text).toString('latin1')
  return { request, isRight: (got, body) => got === status && body === expected }
}

function oneOf<Item> (items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!
}
