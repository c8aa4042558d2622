import { once } from 'node:events'
import { connect } from 'node:net'
import { send, type Answer } from '../cluster/load.js'

/** A server under load, and what is known of what it stores. */
export interface Subject {
  root: string
  key: string
  pets: number
}

/** A kind of request. One that its client breaks off gives no answer. */
type Kind = (subject: Subject) => Promise<Answer | undefined>

const PET = { name: 'Rex', categoryId: 1 }
const anyOf = (count: number): number => 1 + Math.floor(Math.random() * count)

/** What is answered as it was meant to be. */
const WELL: Kind[] = [
  ({ root, key }) => send(`${root}/v1/pets?limit=20`, { key }),
  ({ root, key, pets }) => send(`${root}/v1/pets/${anyOf(pets)}`, { key }),
  ({ root, key }) => send(`${root}/v1/pets?status=available&limit=100`, { key }),
  ({ root, key }) => send(`${root}/v1/pets`, { key, method: 'POST', body: PET }),
  ({ root, key }) => send(`${root}/v1/categories`, { key }),
  ({ root, key }) => send(`${root}/v1/inventory`, { key }),
  ({ root }) => send(`${root}/readyz`)
]

/** What is refused, and what its client breaks off. */
const FAULTY: Kind[] = [
  ({ root, key }) => send(`${root}/v1/pets/999999999`, { key }),
  ({ root, key }) => send(`${root}/v1/pets?limit=none`, { key }),
  ({ root }) => send(`${root}/v1/pets`),
  ({ root }) => send(`${root}/v1/pets`, { key: `wrong-${anyOf(1e9)}` }),
  ({ root }) => send(`${root}/nowhere-${anyOf(1e9)}`),
  ({ root, key }) => send(`${root}/v1/pets`, { key, method: 'POST', body: { name: 1 } }),
  ({ root, key }) => send(`${root}/v1/pets`, { key, method: 'POST', body: { name: 'x'.repeat(20_000) }, keep: false }),
  ({ root }) => breakOff(root, 'GET /v1/pe'),
  ({ root, key }) => breakOff(root, `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`),
  ({ root, key }) =>
    breakOff(
      root,
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":'
    )
]

/** Of ten requests, how many are refused or broken off. */
const FAULTY_OF_TEN = 3

/** Sends one request, and tells whether it was one that should be answered well. */
export async function sendAny (subject: Subject): Promise<{ answer: Answer | undefined; isWell: boolean }> {
  const isWell = Math.random() * 10 >= FAULTY_OF_TEN
  const kinds = isWell ? WELL : FAULTY
  return { isWell, answer: await kinds[anyOf(kinds.length) - 1]!(subject) }
}

/** Sends bytes and breaks the connection while they are answered, or before they are a request. */
async function breakOff (root: string, bytes: string): Promise<undefined> {
  const socket = connect(Number(new URL(root).port), '127.0.0.1')
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()))
  await closed
}
