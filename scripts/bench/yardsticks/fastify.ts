// Fastify with constant answers: no plugin, no schema, no log; with BENCH_HEADERS=all the headers of the service too.
import fastify, { type RouteHandlerMethod } from 'fastify'
import type { Recorded } from '../load/dataset.js'
import { allHeadersOf, answers, leastHeadersOf, ready } from './answers.js'

const headersOf = process.env.BENCH_HEADERS === 'all' ? allHeadersOf : leastHeadersOf

function constant (answer: Recorded): RouteHandlerMethod {
  const { status, body } = answer
  const flat = headersOf(answer)
  const headers: Record<string, string> = {}
  for (let index = 0; index < flat.length; index += 2) headers[flat[index]!.toLowerCase()] = flat[index + 1]!
  return (_request, reply) => {
    reply.code(status).headers(headers).send(body)
  }
}

const app = fastify()
app.get('/v1/pets', constant(answers.list))
app.get('/v1/pets/:petId', constant(answers.get))
app.post('/v1/pets', constant(answers.create))
await app.listen({ host: '127.0.0.1', port: 0 })
ready(app.server)
