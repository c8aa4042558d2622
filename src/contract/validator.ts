import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { addBinaryKeywords, binaryStrings } from './binary.js'
import type { Received } from './body.js'
import { bundlerOf } from './bundle.js'
import { decideByDiscriminator } from './discriminator.js'
import { addNumberKeywords, exactNumbers } from './int64.js'
import { regExpOf } from './pattern.js'
import { RequestError } from './request-error.js'
import type { BodySchema } from './route-schema.js'
import { rewriteSchemas, schemaAt, type Schema } from './schema.js'
import { describe, type HttpPart } from './violation.js'

/** Tells whether a value fits a schema; `errors` says why not. */
export type Check = ReturnType<Ajv2020['compile']>

/** Which way a value goes: a property that is `readOnly` is not required in a request, nor a `writeOnly` one in a response. */
export type Direction = 'request' | 'response'

/**
 * Compiles schemas of the document into checks. Nothing is coerced; defaults of missing properties are filled in.
 * The first fault ends a check, so that no input makes it long.
 */
export function checksOf (document: object, { of = 'response' as Direction } = {}): (schema: Schema) => Check {
  // Keywords and formats that JSON Schema does not know are annotations in OpenAPI 3.1, so Ajv may not refuse them.
  const ajv = new Ajv2020({ strict: false, useDefaults: true, logger: false, code: { regExp } })
  formats.default(ajv)
  addNumberKeywords(ajv)
  addBinaryKeywords(ajv)
  const bundle = bundlerOf(document, (schema) => {
    const decided = decideByDiscriminator(document, withoutForeign(schema))
    return exactNumbers(binaryStrings(withDefaults(document, withRequired(document, decided, of))))
  })
  return (given) => {
    const { schema, parts } = bundle(given)
    for (const [id, part] of parts) if (!ajv.getSchema(id)) ajv.addSchema(part, id)
    return ajv.compile(schema)
  }
}

const regExp = Object.assign((pattern: string) => regExpOf(pattern), { code: 'regExpOf' })

/** Fastify's validator compiler for the routes of a document: a check is compiled when it is first needed. */
export function validatorCompilerOf (document: object): FastifySchemaCompiler<Schema> {
  const checkOf = checksOf(document, { of: 'request' })
  const validate = (part: HttpPart, check: Check, value: unknown) => check(value) ? { value } : { error: new RequestError(400, describe(part, check.errors![0]!)) }
  return ({ schema, httpPart }) => {
    const part = httpPart as HttpPart
    if (part === 'body') {
      const { required, media } = schema as unknown as BodySchema
      const checks = new Map(Object.entries(media).map(([key, one]) => [key, once(() => checkOf(one))]))
      return (received: Received | null) => {
        if (received) return validate(part, checks.get(received.key)!(), received.value)
        return required ? { error: new RequestError(400, 'The body is required.') } : { value: undefined }
      }
    }
    const check = once(() => checkOf(schema))
    return (value: unknown) => validate(part, check(), value)
  }
}

function once<Value> (make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Keywords of other drafts and of 3.0 mean nothing in 3.1, but something to Ajv. */
function withoutForeign<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, id, $schema, $async, ...schema }) => schema)
}

/** What is only read is not required of a request, what is only written not of a response. */
function withRequired<Node> (document: object, node: Node, of: Direction): Node {
  const keyword = of === 'request' ? 'readOnly' : 'writeOnly'
  return rewriteSchemas(node, (schema) => {
    if (!schema.properties || !Array.isArray(schema.required)) return schema
    const required = schema.required.filter((name) => {
      const property = Object.hasOwn(schema.properties!, name) ? schema.properties![name] : undefined
      return typeof property !== 'object' || property === null || (property[keyword] !== true && schemaAt(document, property)[keyword] !== true)
    })
    return required.length === schema.required.length ? schema : { ...schema, required }
  })
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
