import fastify, { type FastifyInstance } from 'fastify'
import { isJson, mediaTypeOf } from '../../src/contract/document/media-type.js'
import type { Document, MediaTypeObject } from '../../src/contract/document/openapi.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { basePathOf } from '../../src/contract/document/servers.js'
import { operationsOf, responseFor, type Operation } from '../../src/contract/operation/operation.js'
import { uncheckedBodiesOf } from '../../src/contract/request-schemas.js'
import { Answer } from '../../src/contract/response/answer.js'
import { registerRoutes } from '../../src/contract/routes.js'
import { sampleOf } from './sample.js'

type Sample = Answer<unknown, number, string | undefined>

/** An app that serves a document, and what it is made of. */
export interface SampleServer {
  app: FastifyInstance
  operations: Operation[]
  /** The bodies that are not checked: `addBook: application/pdf`. */
  unchecked: string[]
  /** What went wrong in the app itself, and not in a request, since it started. */
  internalErrors: Error[]
}

/**
 * Makes an app, ready to listen, that serves a document without its security: every operation answers with a sample of
 * its first 2xx.
 * @throws {ContractError} when the document cannot be served
 */
export async function serveSamples (document: Document): Promise<SampleServer> {
  const operations = operationsOf(document)
  const schemas = new Schemas(document)
  const handlers = Object.fromEntries(
    operations.map((operation) => [operation.operationId, () => answerOf(schemas, operation)])
  )
  const internalErrors: Error[] = []
  const app = fastify({ routerOptions: { maxParamLength: 16 * 1024 } })
  app.addHook('onError', async (_request, _reply, error) => {
    if ((error.statusCode ?? 500) >= 500) internalErrors.push(error)
  })
  await app.register(
    async (api) => {
      registerRoutes(api, { document, operations, handlers, securitySchemes: undefined })
    },
    { prefix: basePathOf(document) }
  )
  await app.ready()
  return { app, operations, unchecked: uncheckedBodiesOf(schemas, operations), internalErrors }
}

function answerOf (schemas: Schemas, operation: Operation): Sample {
  const statuses = [...operation.responses.keys()].filter((status) => /^[2-5](\d\d|XX)$/.test(status)).sort()
  const status = operation.success ?? Number(statuses[0]?.replace('XX', '00') ?? 200)
  const { content = {} } = responseFor(operation, String(status)) ?? {}
  const types = Object.keys(content)
  const type = types.find((one) => isJson(mediaTypeOf(one)!)) ?? types[0]
  if (type === undefined || status === 204) return new Answer(undefined, {}, status)
  return bodyOf(schemas, content[type]!, type, status)
}

function bodyOf (schemas: Schemas, media: MediaTypeObject, type: string, status: number): Sample {
  const examples = examplesIn(schemas, media)
  const sample = () => sampleOf(schemas, media.schema ?? {}, examples) ?? null
  if (type === '*/*') return new Answer(sample(), {}, status, undefined)
  if (isJson(mediaTypeOf(type)!)) return new Answer(sample(), {}, status, type)
  const text = examples.find((example) => typeof example === 'string')
  return new Answer(text ?? '', {}, status, type.replace(/\*.*$/, 'plain'))
}

/** The examples of a body, without those that stand in another place or nowhere. */
function examplesIn (schemas: Schemas, { example, examples = {} }: MediaTypeObject): unknown[] {
  const named = Object.values(examples).map((value) => {
    try {
      return schemas.resolve({ value, pointer: '#' }).value?.value
    } catch {
      return undefined
    }
  })
  return [example, ...named].filter((value) => value !== undefined)
}
