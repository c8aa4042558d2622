import { validateHeaderValue } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { isJson, mediaTypeOf } from '../../src/contract/document/media-type.js'
import type { Document, Exemplified, MediaTypeObject, ResponseObject } from '../../src/contract/document/openapi.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { basePathOf } from '../../src/contract/document/servers.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import { operationsOf, responseFor, type Operation } from '../../src/contract/operation/operation.js'
import { parseJson } from '../../src/contract/request/json.js'
import { uncheckedBodiesOf } from '../../src/contract/request-schemas.js'
import { Answer } from '../../src/contract/response/answer.js'
import { serializerOf } from '../../src/contract/response/serializer.js'
import { registerRoutes } from '../../src/contract/routes.js'
import { samplerOf, type Sampler } from './sample.js'

type Sample = Answer<unknown, number, string | undefined>

/** An app that serves a document, and what it is made of. */
export interface SampleServer {
  app: FastifyInstance
  operations: Operation[]
  /** The bodies that are not checked: `addBook: application/pdf`. */
  unchecked: string[]
  /** The responses for which no valid value was found: `getBook: 200 application/json`. Their operations answer 501. */
  withoutExample: string[]
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
  const sampleOf = samplerOf(schemas, 'response')
  const withoutExample: string[] = []
  const handlers = Object.fromEntries(
    operations.map((operation) => {
      const { answer, missing } = answerOf(schemas, sampleOf, operation)
      withoutExample.push(...missing.map((part) => `${operation.operationId}: ${answer.status} ${part}`))
      const handler = () => {
        if (missing.length === 0) return answer
        throw Object.assign(new Error(`No valid example was found: ${answer.status} ${missing.join(', ')}`), {
          statusCode: 501
        })
      }
      return [operation.operationId, handler]
    })
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
  return { app, operations, unchecked: uncheckedBodiesOf(schemas, operations), withoutExample, internalErrors }
}

/** The answer of an operation, and the parts of it for which no valid value was found. */
function answerOf (schemas: Schemas, sampleOf: Sampler, operation: Operation): { answer: Sample; missing: string[] } {
  const statuses = [...operation.responses.keys()].filter((status) => /^[2-5](\d\d|XX)$/.test(status)).sort()
  const status = operation.success ?? Number(statuses[0]?.replace('XX', '00') ?? 200)
  const response = responseFor(operation, String(status)) ?? {}
  const { headers, missing } = requiredHeadersOf(schemas, sampleOf, response)
  const { content = {} } = response
  const types = Object.keys(content)
  const type = types.find((one) => isJson(mediaTypeOf(one)!)) ?? types[0]
  if (type === undefined || status === 204) return { answer: new Answer(undefined, headers, status), missing }
  const body = bodyOf(schemas, sampleOf, content[type]!, type)
  if (body === undefined) missing.push(type)
  const written = type === '*/*' ? undefined : type.replace(/\*.*$/, 'plain')
  return { answer: new Answer(body, headers, status, written), missing }
}

/** A valid body of a media type; undefined when none was found. What is no JSON is a text. */
function bodyOf (schemas: Schemas, sampleOf: Sampler, media: MediaTypeObject, type: string): unknown {
  const schema = media.schema ?? {}
  const shown = examplesIn(schemas, media)
  if (type === '*/*' || isJson(mediaTypeOf(type)!)) {
    const serialize = serializerOf(schemas)
    return sampleOf(schema, { shown, written: (value) => parseJson(Buffer.from(serialize(schema, value))) })?.value
  }
  const text = shown.find((example) => typeof example === 'string')
  if (text !== undefined || !schemas.types(schema).includes('string')) return text ?? ''
  return sampleOf(schema)?.value
}

/** The headers that a response must have, and the names of those for which no valid value was found. */
function requiredHeadersOf (schemas: Schemas, sampleOf: Sampler, { headers = {} }: ResponseObject) {
  const found: Record<string, string> = {}
  const missing: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    const { value: header } = schemas.resolve({ value, pointer: '#' })
    if (!header.required || name.toLowerCase() === 'content-type') continue
    // A header has a schema, which its value follows in the style simple, or the content of one media type.
    const [[type, media] = ['', header]] = Object.entries(header.content ?? {})
    const isWrittenAsJson = type !== '' && isJson(mediaTypeOf(type)!)
    const write = (one: unknown) => (isWrittenAsJson ? jsonTextOf(one) : textOf(one))
    const sample = sampleOf(media.schema ?? {}, {
      shown: examplesIn(schemas, media),
      written (one) {
        validateHeaderValue(name, write(one))
        return one
      }
    })
    if (sample) found[name] = write(sample.value)
    else missing.push(`header ${name}`)
  }
  return { headers: found, missing }
}

/** Writes a value in the style `simple` (OpenAPI 3.1.1, section 4.8.12.3). */
function textOf (value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' && value !== null ? Object.entries(value).flat().join(',') : String(value)
}

/** The examples of a body, without those that stand in another place or nowhere. */
function examplesIn (schemas: Schemas, { example, examples = {} }: Exemplified): unknown[] {
  const named = Object.values(examples).map((value) => {
    try {
      return schemas.resolve({ value, pointer: '#' }).value?.value
    } catch {
      return undefined
    }
  })
  return [example, ...named].filter((value) => value !== undefined)
}
