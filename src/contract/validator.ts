import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { addNumberKeywords, exactNumbers } from './int64.js'
import { decoderOf } from './parameter.js'
import { RequestError } from './request-error.js'
import { DOCUMENT_ID, rewriteSchemas, schemaAt, type Schema } from './schema.js'
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
  addNumberKeywords(ajv)
  const prepare = <Node>(node: Node): Node => exactNumbers(withDefaults(document, node))
  ajv.addSchema(prepare(document), DOCUMENT_ID, false, false)
  return (schema) => ajv.compile(prepare(schema))
}

/** Fastify's validator compiler for the routes of a document: bodies as they are, parameters decoded first. */
export function validatorCompilerOf (document: object): FastifySchemaCompiler<Schema> {
  const checkOf = checksOf(document)
  return ({ schema, httpPart }) => {
    const part = httpPart as HttpPart
    const check = checkOf(schema)
    const decode = part === 'body' ? undefined : decoderOf(document, schema)
    return (data: unknown) => {
      const value = decode ? decode(data as Record<string, unknown>) : data
      if (check(value)) return { value }
      // To Fastify a body that was not sent is null.
      if (data === null && schema['x-required'] === false) return { value: undefined }
      return { error: new RequestError(400, describe(part, check.errors![0]!)) }
    }
  }
}

/** The default of a property's `$ref` stands beside it too, where Ajv looks for it. */
function withDefaults<Node> (document: object, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    if (!schema.properties) return schema
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      const { default: value = undefined } = typeof property === 'object' ? schemaAt(document, property) : {}
      return [name, value === undefined ? property : { default: value, ...property }]
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  })
}
