import { once } from 'node:events'
import { Agent, request } from 'node:http'

/** An answer as it was received: the names of its headers and their values, one after the other. */
export interface Recorded {
  status: number
  headers: string[]
  body: string
}

/** What the service has stored, and what it answered before it was loaded. */
export interface Dataset {
  pets: { id: number; body: string }[]
  /** Full pages of available pets: where each begins, and its body. No workload changes them. */
  pages: { cursor: string; body: string }[]
  /** An answer of each operation. */
  answers: { list: Recorded; get: Recorded; create: Recorded }
}

/** The list that is asked for. */
export const LIST = '/v1/pets?limit=20&status=available'
/** The pet that is added. */
export const NEW_PET = '{"name":"Rex","categoryId":7,"status":"available"}'

const PAGE = 20

/** Reads all pets over HTTP, the cursors of the list that is asked for, and an answer of each operation. */
export async function readDataset (port: number, key: string): Promise<Dataset> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (path: string, body?: string) => send(agent, port, key, path, body)
  try {
    const pets: Dataset['pets'] = []
    for (let path: string | undefined = '/v1/pets?limit=100'; path !== undefined;) {
      const answer: Recorded = await call(path)
      for (const pet of JSON.parse(answer.body)) pets.push({ id: pet.id, body: JSON.stringify(pet) })
      path = nextOf(path, answer)
    }
    const pages: Dataset['pages'] = []
    for (let path = nextOf(LIST, await call(LIST)); path !== undefined;) {
      const answer: Recorded = await call(path)
      if (JSON.parse(answer.body).length < PAGE) break
      pages.push({ cursor: new URL(path, 'http://127.0.0.1').searchParams.get('cursor')!, body: answer.body })
      path = nextOf(path, answer)
    }
    if (pages.length === 0) throw new Error('There are too few pets for a second page of those that are available.')
    const answers = { list: await call(LIST), get: await call('/v1/pets/1'), create: await call('/v1/pets', NEW_PET) }
    return { pets, pages, answers }
  } finally {
    agent.destroy()
  }
}

async function send (agent: Agent, port: number, key: string, path: string, body?: string): Promise<Recorded> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request({ agent, host: '127.0.0.1', port, path, method, headers, timeout: 30_000 })
  sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer within 30 s`)))
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
  return { status: response.statusCode, headers: response.rawHeaders, body: text }
}

/** The address of the page behind the one at `path`, as the `Link` header of its answer refers to it. */
function nextOf (path: string, { headers }: Recorded): string | undefined {
  const link = headers.find((_, index) => headers[index - 1]?.toLowerCase() === 'link' && index % 2 === 1)
  const reference = /<([^>]+)>; *rel="next"/.exec(link ?? '')?.[1]
  if (reference === undefined) return undefined
  const { pathname, search } = new URL(reference, `http://127.0.0.1${path}`)
  return pathname + search
}
