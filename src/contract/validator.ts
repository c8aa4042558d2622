import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { int64Keyword, replaceInt64 } from './int64.js'
import { decoderOf } from './parameter.js'
import { RequestError } from './request-error.js'
import { DOCUMENT_ID, type Schema } from './schema.js'
import { describe, type HttpPart } from './violation.js'

/** Tells whether a value fits a schema; `errors` says why not. */
export type Check = ReturnType<Ajv2020['compile']>

/**
 * Compiles schemas of the document into checks. Nothing is coerced; defaults of missing properties are filled in.
 * The first fault ends a check, so that no input makes it long.
 */
export function checksOf (document: object): (schema: Schema) => Check {
  // Keywords that JSON Schema does not know are annotations in OpenAPI 3.1, so Ajv may not refuse them.
  const ajv = new Ajv2020({ strict: false, useDefaults: true })
  formats.default(ajv)
  ajv.addKeyword(int64Keyword)
  ajv.addSchema(replaceInt64(document), DOCUMENT_ID, false, false)
  return (schema) => ajv.compile(replaceInt64(schema))
}

/** Fastify's validator compiler for the routes of a document: bodies as they are, parameters decoded first. */
export function validatorCompilerOf (document: object): FastifySchemaCompiler<Schema> {
  const checkOf = checksOf(document)
  return ({ schema, httpPart }) => {
    const part = httpPart as HttpPart
    const check = checkOf(schema)
    const decode = part === 'body' ? undefined : decoderOf(document, schema)
    return (data: unknown) => {
      if (data === undefined && schema['x-required'] === false) return { value: data }
      const value = decode ? decode(data as Record<string, unknown>) : data
      return check(value) ? { value } : { error: new RequestError(400, describe(part, check.errors![0]!)) }
    }
  }
}
