import t from 'tap'
import { COME_IN as responses, startGate } from '../../support/gate.js'

t.test('every operation of a document needs a key, OPTIONS too, unless the document leaves it open', async (t) => {
  const { ask } = await startGate(t, {
    security: [{ bearerAuth: [] }],
    paths: {
      '/closed': { get: { operationId: 'getClosed', responses }, options: { operationId: 'askClosed', responses } },
      '/open': {
        get: { operationId: 'getOpen', security: [], responses },
        post: { operationId: 'postOpen', security: [{}, { bearerAuth: [] }], responses }
      }
    }
  })
  const wanted = {
    'GET /closed': 401,
    'HEAD /closed': 401,
    'OPTIONS /closed': 401,
    'DELETE /closed': 401,
    'GET /open': 200,
    'HEAD /open': 200,
    'POST /open': 200,
    'OPTIONS /open': 204,
    'DELETE /open': 401,
    'GET /nothing': 401
  }
  for (const [request, status] of Object.entries(wanted)) {
    const [method, path] = request.split(' ') as [string, string]
    t.equal((await ask(method, path)).statusCode, status, request)
  }
})
