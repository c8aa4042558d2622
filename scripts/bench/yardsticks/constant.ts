// The least that node:http does for an answer with the body of the service; with BENCH_HEADERS=all its headers too.
import { createServer, type ServerResponse } from 'node:http'
import type { Recorded } from '../load/dataset.js'
import { allHeadersOf, answers, leastHeadersOf, ready } from './answers.js'

const headersOf = process.env.BENCH_HEADERS === 'all' ? allHeadersOf : leastHeadersOf
const prepared = (answer: Recorded): Recorded => ({ ...answer, headers: headersOf(answer) })
const [list, get, create] = [answers.list, answers.get, answers.create].map(prepared) as [Recorded, Recorded, Recorded]

const server = createServer((request, response) => {
  if (request.method === 'POST') request.resume().on('end', () => send(response, create))
  else send(response, request.url!.startsWith('/v1/pets?') ? list : get)
})
server.listen(0, '127.0.0.1', () => ready(server))

function send (response: ServerResponse, { status, headers, body }: Recorded): void {
  // As a text it leaves in one write with the head.
  response.writeHead(status, headers).end(body)
}
