import fastify, { type FastifyInstance } from 'fastify'
import type { Content, Document } from '../../src/contract/document/openapi.js'
import { isJson, mediaTypeOf } from '../../src/contract/document/media-type.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { basePathOf } from '../../src/contract/document/servers.js'
import { operationsOf, responseFor, type Operation } from '../../src/contract/operation/operation.js'
import { Answer } from '../../src/contract/response/answer.js'
import { registerRoutes } from '../../src/contract/routes.js'
import { sampleOf } from './sample.js'

type Sample = Answer<unknown, number, string | undefined>

/**
 * Makes an app, ready to listen, that serves a document without its security: every operation answers with a sample of
 * its first 2xx.
 * @throws {ContractError} when the document cannot be served
 */
export async function serveSamples (document: Document): Promise<{ app: FastifyInstance; operations: Operation[] }> {
  const operations = operationsOf(document)
  const schemas = new Schemas(document)
  const handlers = Object.fromEntries(
    operations.map((operation) => [operation.operationId, () => answerOf(schemas, operation)])
  )
  const app = fastify({ routerOptions: { maxParamLength: 16 * 1024 } })
  await app.register(
    async (api) => {
      registerRoutes(api, { document, operations, handlers, securitySchemes: undefined })
    },
    { prefix: basePathOf(document) }
  )
  await app.ready()
  return { app, operations }
}

function answerOf (schemas: Schemas, operation: Operation): Sample {
  const statuses = [...operation.responses.keys()].filter((status) => /^[2-5]\d\d$/.test(status)).sort()
  const status = operation.success ?? Number(statuses[0] ?? 200)
  const { content = {} } = responseFor(operation, String(status)) ?? {}
  const types = Object.keys(content)
  const type = types.find((one) => isJson(mediaTypeOf(one)!)) ?? types[0]
  if (type === undefined || status === 204) return new Answer(undefined, {}, status)
  return bodyOf(schemas, content, type, status)
}

function bodyOf (schemas: Schemas, content: Content, type: string, status: number): Sample {
  const { schema = {}, example } = content[type] as { schema?: Schema; example?: unknown }
  const sample = () => sampleOf(schemas, schema, example) ?? null
  if (type === '*/*') return new Answer(sample(), {}, status, undefined)
  if (isJson(mediaTypeOf(type)!)) return new Answer(sample(), {}, status, type)
  return new Answer(typeof example === 'string' ? example : '', {}, status, type.replace(/\*.*$/, 'plain'))
}
