import type { ErrorObject } from 'ajv'
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
 * How large a value is whose faults are all looked for: one for each value in it and for each character of its strings. The faults of
 * a larger one would be work without a bound that its sender chooses (CVE-2020-8192), so that only the first is named.
 */
const MOST_EXPLAINED = 2_000

/**
 * Compiles schemas of the document into checks. Nothing is coerced; defaults of missing properties are filled in.
 * The first fault ends a check, so that no input makes it long.
 */
export function checksOf (document: object): (schema: Schema) => Check {
  return compilersOf(document)({ allErrors: false })
}

/** Compilers of checks that share what they need of the document. */
function compilersOf (document: object): (options: { allErrors: boolean }) => (schema: Schema) => Check {
  const prepare = <Node>(node: Node): Node => exactNumbers(withDefaults(document, lengthFirst(node)))
  const prepared = prepare(document)
  return ({ allErrors }) => {
    // Keywords that JSON Schema does not know are annotations in OpenAPI 3.1, so Ajv may not refuse them. What finds all faults is given
    // schemas that were looked at before, and takes part in requests, where looking at them again would take too long.
    const ajv = new Ajv2020({ strict: false, useDefaults: true, verbose: true, allErrors, validateSchema: !allErrors })
    formats.default(ajv)
    addNumberKeywords(ajv)
    ajv.addSchema(prepared, DOCUMENT_ID, false, false)
    return (schema) => ajv.compile(prepare(schema))
  }
}

/** Fastify's validator compiler for the routes of a document: bodies as they are, parameters decoded first. */
export function validatorCompilerOf (document: object): FastifySchemaCompiler<Schema> {
  const compilerOf = compilersOf(document)
  const [checkOf, thoroughCheckOf] = [compilerOf({ allErrors: false }), compilerOf({ allErrors: true })]
  return ({ schema, httpPart }) => {
    const part = httpPart as HttpPart
    const check = checkOf(schema)
    // Compiled when the first of its faults comes, so that a start does not compile everything twice.
    let thoroughCheck: Check | undefined
    const allFaultsOf = (value: unknown): ErrorObject[] => {
      thoroughCheck ??= thoroughCheckOf(schema)
      thoroughCheck(value)
      return thoroughCheck.errors!
    }
    const decode = part === 'body' ? undefined : decoderOf(document, schema)
    return (data: unknown) => {
      const value = decode ? decode(data as Record<string, unknown>) : data
      if (check(value)) return { value }
      // To Fastify a body that was not sent is null.
      if (data === null && schema['x-required'] === false) return { value: undefined }
      const faults = sizeOf(value) > MOST_EXPLAINED ? check.errors! : allFaultsOf(value)
      return { error: new RequestError(400, describe(part, faults)) }
    }
  }
}

/** A pattern is tried only on a text of a length that fits: what may be slow on others was never meant to meet them. */
function lengthFirst<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const { pattern, minLength = 0, maxLength, ...rest } = schema
    if (pattern === undefined || maxLength === undefined) return schema
    return { ...rest, minLength, maxLength, allOf: [...(schema.allOf ?? []) as Schema[], { if: { minLength, maxLength }, then: { pattern } }] }
  })
}

/** The values in a value and the characters of its strings and names together. */
function sizeOf (value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((size, [name, child]) => size + name.length + sizeOf(child), 1)
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
