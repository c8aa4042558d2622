import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { addBinaryKeywords } from './binary.js'
import type { Received } from '../request/body/body.js'
import { bundlerOf, type Bundle } from './bundle.js'
import { addNumberKeywords } from '../document/int64.js'
import { regExpOf } from '../document/pattern.js'
import { prepare, type Direction } from './for-ajv.js'
import { RequestError } from '../request/request-error.js'
import type { BodySchema } from '../route-schema.js'
import type { Schema } from '../document/schema.js'
import { describe, type HttpPart } from '../request/message.js'

/** Tells whether a value fits a schema; `errors` says why not. */
export type Check = ReturnType<Ajv2020['compile']>

/**
 * How large a value is whose faults are all looked for: one for each value in it and for each character of its strings.
 * The faults of a larger one would be work without a bound that its sender chooses (CVE-2020-8192), so that only the
 * first is named.
 */
const MOST_EXPLAINED = 2_000

/**
 * Compiles schemas of the document into checks. Nothing is coerced; defaults of missing properties are filled in.
 * The first fault ends a check, so that no input makes it long.
 */
export function checksOf (document: object, { of = 'response' as Direction } = {}): (schema: Schema) => Check {
  return compilersOf(document, of)({ allErrors: false })
}

/** Compilers of checks that share what they need of the document. */
function compilersOf (document: object, of: Direction): (options: { allErrors: boolean }) => (schema: Schema) => Check {
  const bundle = bundlerOf(document, (schema) => prepare(document, schema, of))
  return ({ allErrors }) => {
    // Keywords and formats that JSON Schema does not know are annotations in OpenAPI 3.1, so Ajv may not refuse them.
    // That the schemas are valid was checked when the document was read, so Ajv does not check them again.
    const ajv = new Ajv2020({
      strict: false,
      useDefaults: true,
      logger: false,
      verbose: true,
      allErrors,
      meta: false,
      validateSchema: false,
      code: { regExp }
    })
    formats.default(ajv)
    addNumberKeywords(ajv)
    addBinaryKeywords(ajv)
    return (schema) => compile(ajv, bundle(schema))
  }
}

function compile (ajv: Ajv2020, { schema, parts }: Bundle): Check {
  for (const [id, part] of parts) if (!ajv.getSchema(id)) ajv.addSchema(part, id)
  return ajv.compile(schema)
}

const regExp = Object.assign((pattern: string) => regExpOf(pattern), { code: 'regExpOf' })

/** Fastify's validator compiler for the routes of a document: a check is compiled when it is first needed. */
export function validatorCompilerOf (document: object): FastifySchemaCompiler<Schema> {
  const compilerOf = compilersOf(document, 'request')
  const [checkOf, thoroughCheckOf] = [compilerOf({ allErrors: false }), compilerOf({ allErrors: true })]
  const validatorOf = (part: HttpPart, schema: Schema) => {
    const check = once(() => checkOf(schema))
    // Compiled when the first of its faults comes, so that nothing is compiled twice that never has one.
    const thoroughCheck = once(() => thoroughCheckOf(schema))
    return (value: unknown) => {
      if (check()(value)) return { value }
      const faults = sizeOf(value) > MOST_EXPLAINED ? check().errors! : faultsOf(thoroughCheck(), value)
      return { error: new RequestError(400, describe(part, faults)) }
    }
  }
  return ({ schema, httpPart }) => {
    const part = httpPart as HttpPart
    if (part !== 'body') return validatorOf(part, schema)
    const { required, media } = schema as unknown as BodySchema
    const validators = new Map(Object.entries(media).map(([key, one]) => [key, validatorOf(part, one)]))
    return (received: Received | null) => {
      if (received) return validators.get(received.key)!(received.value)
      return required ? { error: new RequestError(400, 'The body is required.') } : { value: undefined }
    }
  }
}

function faultsOf (check: Check, value: unknown): ErrorObject[] {
  check(value)
  return check.errors!
}

/** The values in a value and the characters of its strings and names together. */
function sizeOf (value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof Uint8Array) return value.byteLength
  return Object.entries(value).reduce((size, [name, child]) => size + name.length + sizeOf(child), 1)
}

function once<Value> (make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
