import fastify, { type FastifyInstance } from 'fastify'
import { basePathOf } from '../../src/contract/document/servers.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { Answer } from '../../src/contract/response/answer.js'
import { isJson, mediaTypeOf } from '../../src/contract/document/media-type.js'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { registerRoutes } from '../../src/contract/routes.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'

/**
 * An app, ready to listen, that serves a document without its security: every operation answers with its first 2xx,
 * which is an example of the document or the least that its schema asks for.
 * @throws {ContractError} when the document cannot be served
 */
export async function serveStubs (document: Document): Promise<{ app: FastifyInstance; operations: Operation[] }> {
  const operations = operationsOf(document)
  const schemas = new Schemas(document)
  const handlers = Object.fromEntries(
    operations.map((operation) => [operation.operationId, () => stub(schemas, operation)])
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

function stub (schemas: Schemas, { responses, success }: Operation): Answer<unknown, number, string | undefined> {
  const statuses = [...responses.keys()].filter((status) => /^[2-5]\d\d$/.test(status)).sort()
  const status = success ?? Number(statuses[0] ?? 200)
  const { content = {} } = responses.get(String(status)) ?? responses.get('2XX') ?? responses.get('default') ?? {}
  const types = Object.keys(content)
  const type = types.find((one) => isJson(mediaTypeOf(one)!)) ?? types[0]
  if (type === undefined || status === 204) return new Answer(undefined, {}, status)
  const { schema = {}, example } = content[type] as { schema?: Schema; example?: unknown }
  if (isJson(mediaTypeOf(type)!) || type === '*/*') {
    return new Answer(sampleOf(schemas, schema, example) ?? null, {}, status, type === '*/*' ? undefined : type)
  }
  return new Answer(typeof example === 'string' ? example : '', {}, status, type.replace(/\*.*$/, 'plain'))
}

/** A small value of a schema, around what is given of it. What a pattern asks for is not looked at. */
export function sampleOf (schemas: Schemas, schema: Schema, given?: unknown, depth = 0): unknown {
  const parts = schemas.applicable(schema)
  const first = (keyword: string) => parts.map((part) => part[keyword]).find((value) => value !== undefined)
  const [example] = [first('examples') ?? []].flat() as unknown[]
  const value = [
    given,
    first('example'),
    example,
    first('const'),
    first('default'),
    (first('enum') as unknown[] | undefined)?.[0]
  ].find((one) => one !== undefined)
  const [type] = schemas.types(schema)
  if (type === 'object' && isObject(value)) {
    const names =
      depth > 8 ? [] : new Set([...parts.flatMap(({ required = [] }) => required), ...Object.keys(value ?? {})])
    return Object.fromEntries(
      [...names].map((name) => [
        name,
        sampleOf(
          schemas,
          schemas.property(schema, name),
          (value as Record<string, unknown> | undefined)?.[name],
          depth + 1
        )
      ])
    )
  }
  if (type === 'array' && (value === undefined || Array.isArray(value))) {
    const items = value ?? Array.from({ length: Math.min(Number(first('minItems') ?? 0), 3) })
    return items.map((item) => sampleOf(schemas, schemas.items(schema), item, depth + 1))
  }
  if (value !== undefined) return value
  if (type === 'integer' || type === 'number') return Number(first('minimum') ?? first('maximum') ?? 0)
  if (type === 'boolean') return false
  return type === 'null' ? null : 'x'.repeat(Number(first('minLength') ?? 0))
}

function isObject (value: unknown = {}): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
