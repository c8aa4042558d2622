import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import type { Test } from 'tap'
import { readDocument } from '../../src/contract/document/document.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { registerRoutes } from '../../src/contract/routes.js'
import { SCOPE_NAMES } from '../../src/domain/scopes.js'
import { errors } from '../../src/plugins/answer/errors.js'
import { access, validKey } from '../../src/plugins/gate/access.js'
import { auth } from '../../src/plugins/gate/auth.js'
import { rateLimit } from '../../src/plugins/gate/rate-limit.js'
import { operation } from '../../src/plugins/operation/operation.js'
import { openStorage } from '../../src/storage/open.js'
import { TestClock } from './clock.js'

/** The gate before the paths of any document, under /v1: who passes it is answered 'come in'. Ends with the test. */
export async function startGate (t: Test, parts: { security: object[]; paths: object }) {
  const document = await readDocument(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Doors', version: '1.0.0' },
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
      ...parts
    })
  )
  const operations = operationsOf(document)
  // Not t.testdir(), which is gone before the counts are kept.
  const folder = mkdtempSync(join(tmpdir(), 'petstore-gate-'))
  const storage = await openStorage(`sqlite:${join(folder, 'petstore.db')}`, { owner: true })
  const app = fastify()
  t.teardown(async () => {
    await app.close()
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  const { apiKeys, usage } = storage.repositories
  const clock = new TestClock()
  await app.register(operation)
  await app.register(errors)
  await app.register(rateLimit, { usage, clock })
  await app.register(
    async (api) => {
      await api.register(auth, { apiKeys, clock })
      await api.register(access, { admit: validKey })
      registerRoutes(api, {
        document,
        operations,
        handlers: Object.fromEntries(operations.map(({ operationId }) => [operationId, () => 'come in'])),
        securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', scopes: SCOPE_NAMES } }
      })
    },
    { prefix: '/v1' }
  )
  const ask = (method: string, path: string, secret?: string) =>
    app.inject({
      method: method as 'GET',
      url: `/v1${path}`,
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` }
    })
  return { ask, apiKeys }
}

/** The responses of an operation behind the gate. */
export const COME_IN = {
  200: { description: 'Done.', content: { 'application/json': { schema: { type: 'string' } } } }
}
