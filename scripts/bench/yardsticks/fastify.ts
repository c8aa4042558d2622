// Fastify with constant answers: no plugin, no schema, no log.
import fastify, { type RouteHandlerMethod } from 'fastify'
import type { Recorded } from '../load/dataset.js'
import { answers, ready } from './answers.js'

const constant =
  ({ status, body }: Recorded): RouteHandlerMethod =>
    (_request, reply) => {
      reply.code(status).type('application/json').send(body)
    }

const app = fastify()
app.get('/v1/pets', constant(answers.list))
app.get('/v1/pets/:petId', constant(answers.get))
app.post('/v1/pets', constant(answers.create))
await app.listen({ host: '127.0.0.1', port: 0 })
ready(app.server)
