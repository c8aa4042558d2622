import type Ajv from 'ajv/dist/core.js'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { addNumberKeywords, exactNumbers } from './int64.js'
import { DOCUMENT_ID, rewriteSchemas, type Schema } from './schema.js'

type Serializer = (data: unknown) => string

/** Fastify's serializer compiler for the routes of a document: only what the document declares is written, bigints digit for digit. */
export function serializerCompilerOf (document: object): FastifySerializerCompiler<Schema> {
  const serializers = new Map<string, Serializer>()
  const shared = { [DOCUMENT_ID]: oneTypeEach(document) as never }
  return ({ schema }) => {
    const key = JSON.stringify(schema)
    const serialize = serializers.get(key) ?? compile(oneTypeEach(schema), shared)
    serializers.set(key, serialize)
    return serialize
  }
}

/** Compiles a serializer whose choice between the branches of anyOf, oneOf and if knows bigints. */
function compile (schema: Schema, shared: Record<string, never>): Serializer {
  const parts = fastJsonStringify(schema as never, { schema: shared, ajv: { strict: false }, mode: 'debug' })
  const { ajv, validator } = parts as unknown as { ajv: Ajv.default, validator: { getState (): { ajvSchemas: Record<string, object> } } }
  addNumberKeywords(ajv)
  for (const [id, part] of Object.entries(validator.getState().ajvSchemas)) {
    ajv.removeSchema(id)
    ajv.addSchema(exactNumbers(part), id)
  }
  return fastJsonStringify.restore(parts as never) as Serializer
}

/** `type: [integer, 'null']` as an anyOf: the serializer's own choice between types knows no bigint. */
function oneTypeEach<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ type, ...schema }) => {
    if (type === undefined) return schema
    return Array.isArray(type) && type.includes('integer') ? { anyOf: type.map((one) => ({ ...schema, type: one })) } : { type, ...schema }
  })
}
