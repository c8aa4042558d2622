import { join } from 'node:path'
import fastify from 'fastify'
import t from 'tap'
import { readDocument } from '../../src/contract/document.js'
import { operationsOf } from '../../src/contract/operation.js'
import { registerRoutes } from '../../src/contract/routes.js'
import { openStorage } from '../../src/storage/open.js'
import { access } from '../../src/plugins/access.js'
import { auth } from '../../src/plugins/auth.js'
import { errors } from '../../src/plugins/errors.js'
import { rateLimit } from '../../src/plugins/rate-limit.js'
import { TestClock } from '../support/clock.js'

t.test('every operation of a document needs a key, OPTIONS too, unless the document leaves it open', async (t) => {
  const responses = { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'string' } } } } }
  const document = await readDocument(JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1.0.0' },
    security: [{ bearerAuth: [] }],
    components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/closed': { get: { operationId: 'getClosed', responses }, options: { operationId: 'askClosed', responses } },
      '/open': { get: { operationId: 'getOpen', security: [], responses }, post: { operationId: 'postOpen', security: [{}, { bearerAuth: [] }], responses } }
    }
  }))
  const storage = await openStorage(`sqlite:${join(t.testdir(), 'petstore.db')}`, { owner: true })
  const app = fastify()
  t.teardown(async () => {
    await app.close()
    await storage.close()
  })
  const { apiKeys, usage } = storage.repositories
  const handle = () => 'come in'
  await app.register(errors)
  const clock = new TestClock()
  await app.register(rateLimit, { usage, clock })
  await app.register(async (api) => {
    await api.register(auth, { apiKeys, clock })
    await api.register(access)
    registerRoutes(api, {
      document,
      operations: operationsOf(document),
      handlers: { getClosed: handle, askClosed: handle, getOpen: handle, postOpen: handle },
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } }
    })
  }, { prefix: '/v1' })
  const wanted = { 'GET /closed': 401, 'HEAD /closed': 401, 'OPTIONS /closed': 401, 'DELETE /closed': 401, 'GET /open': 200, 'HEAD /open': 200, 'POST /open': 200, 'OPTIONS /open': 204, 'DELETE /open': 401, 'GET /nothing': 401 }
  for (const [request, status] of Object.entries(wanted)) {
    const [method, url] = request.split(' ') as ['GET', string]
    t.equal((await app.inject({ method, url: `/v1${url}` })).statusCode, status, request)
  }
})
