import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { DOCUMENT_ID, type Schema } from './schema.js'

/** Fastify's serializer compiler for the routes of a document: only what the document declares is written, bigints digit for digit. */
export function serializerCompilerOf (document: object): FastifySerializerCompiler<Schema> {
  const serializers = new Map<string, (data: unknown) => string>()
  return ({ schema }) => {
    const key = JSON.stringify(schema)
    const serialize = serializers.get(key) ?? fastJsonStringify(schema as never, { schema: { [DOCUMENT_ID]: document as never } })
    serializers.set(key, serialize)
    return serialize
  }
}
