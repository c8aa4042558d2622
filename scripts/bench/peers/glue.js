// fastify-openapi-glue: routes, validation and serializers of Fastify, made from the document.
import fastify from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { BASE_PATH, DOCUMENT, hasKey, ready } from './service.js'

const { createPet, getPet, listPets } = await import(process.env.BENCH_STORAGE ?? './pets.js')

const operations = {
  listPets: async ({ query }, reply) => {
    const { items, link } = listPets(query)
    if (link !== undefined) reply.header('link', link)
    return items
  },
  getPet: async ({ params }) => getPet(params.petId),
  createPet: async ({ body }, reply) => {
    reply.code(201)
    return createPet(body)
  }
}

const app = fastify({ ajv: { customOptions: { strict: false } } })
// Before the routes, which keep the handler of errors that they find. The error of a document is not Fastify's.
app.setErrorHandler(({ statusCode = 500, code = 'error', message }, _request, reply) =>
  reply.code(statusCode).send({ code, message, status: statusCode })
)
await app.register(openapiGlue, {
  specification: DOCUMENT,
  prefix: BASE_PATH,
  operationResolver: (operationId) => operations[operationId] ?? (async (_request, reply) => reply.code(501).send()),
  securityHandlers: {
    bearerAuth: (request) => {
      if (!hasKey(request.headers)) throw Object.assign(new Error('unauthorized'), { statusCode: 401 })
    }
  }
})
await app.listen({ host: '127.0.0.1', port: 0 })
ready(app.server)
