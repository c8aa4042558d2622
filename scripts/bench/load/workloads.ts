import type { Exchange } from './connection.js'
import { LIST, NEW_PET, type Dataset } from './dataset.js'

/** The kinds of load, and what each asks for. */
export const WORKLOADS = {
  L: `GET ${LIST}`,
  LR: 'L at random cursors',
  G: 'GET /v1/pets/{petId}, random ids',
  GZ: 'G, ids by a Zipf law (s = 1), which is how people read',
  C: 'POST /v1/pets',
  M: '80 % LR, 15 % G, 5 % C',
  MZ: 'M, cursors and ids by a Zipf law'
}

/** The name of a kind of load. */
export type Workload = keyof typeof WORKLOADS

/** Whether a server works or answers each operation with one and the same body. */
export type Answering = 'real' | 'constant'

/** Makes a function that gives the next request of a workload, with what its answer must be. */
export function requestsOf (workload: Workload, dataset: Dataset, key: string, answering: Answering): () => Exchange {
  const { answers, pages, pets } = answering === 'real' ? dataset : constantAnswersIn(dataset)
  const firstPage = expecting(LIST, key, answers.list.body)
  const create = createRequest(key)
  const [anyPage, popularPage] = [oneOf, popularOf].map((pick) => pageRequests(pages, key, pick))
  const anyPet = () => petRequest(oneOf(pets), key)
  const popularPet = () => petRequest(popularOf(pets), key)
  const mixOf = (page: () => Exchange, pet: () => Exchange) => (): Exchange => {
    const chance = Math.random()
    if (chance < 0.8) return page()
    return chance < 0.95 ? pet() : create
  }
  return {
    L: () => firstPage,
    LR: anyPage!,
    G: anyPet,
    GZ: popularPet,
    C: () => create,
    M: mixOf(anyPage!, anyPet),
    MZ: mixOf(popularPage!, popularPet)
  }[workload]
}

/** Returns a function that asks for one of some pages, which `pick` chooses. */
export function pageRequests (pages: Dataset['pages'], key: string, pick: typeof oneOf = oneOf): () => Exchange {
  const requests = pages.map(({ cursor, body }) => expecting(`${LIST}&cursor=${cursor}`, key, body))
  return () => pick(requests)
}

/** The request for one pet. */
export function petRequest ({ id, body }: Dataset['pets'][0], key: string): Exchange {
  return expecting(`/v1/pets/${id}`, key, body)
}

/** Takes one of some items at random. */
export function oneOf<Item> (items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!
}

/** A prime by which popular items are spread, so that neighbors are not equally popular. */
const SPREAD = 7_919

/** Takes one of some items by a Zipf law: the k-th most popular with a probability of about 1/(k ln n). */
function popularOf<Item> (items: readonly Item[]): Item {
  const rank = Math.floor(items.length ** Math.random())
  return items[(rank * SPREAD) % items.length]!
}

/** What is stored, as a server tells of it that has one answer for each operation. */
function constantAnswersIn ({ answers, pages, pets }: Dataset): Dataset {
  return {
    answers,
    pages: pages.map(({ cursor }) => ({ cursor, body: answers.list.body })),
    pets: pets.map(({ id }) => ({ id, body: answers.get.body }))
  }
}

function createRequest (key: string): Exchange {
  const created = new RegExp(`^\\{"id":\\d+,${NEW_PET.slice(1, -1)}\\}$`)
  const fields = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(NEW_PET)}\r\n`
  return {
    request: `POST /v1/pets ${headFor(key)}${fields}\r\n${NEW_PET}`,
    isRight: (status, body) => status === 201 && created.test(body)
  }
}

function expecting (path: string, key: string, text: string): Exchange {
  const expected = Buffer.from(text).toString('latin1')
  return {
    request: `GET ${path} ${headFor(key)}\r\n`,
    isRight: (status, body) => status === 200 && body === expected
  }
}

function headFor (key: string): string {
  return `HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n`
}
