import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { regExpOf } from '../document/pattern.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { describeFaults, SPELLINGS } from '../request/message.js'
import { RequestError, type RequestPart } from '../request/request-error.js'
import { addBinaryKeywords } from './binary.js'
import { bundlerOf, type Bundle } from './bundle.js'
import { addDefaults } from './defaults.js'
import { schemaForAjv, type Direction } from './for-ajv.js'
import { addNumberKeywords } from './int64-keywords.js'
import { addUnevaluatedKeywords } from './unevaluated.js'

/** Tells whether a value fits a schema; `errors` says why not. */
export type Check = ReturnType<Ajv2020['compile']>

/** Gives the answer to a value of a part of a request that does not fit its schema: a 400 with all its faults. */
export type PartValidator = (value: unknown) => RequestError | undefined

/**
 * How large a value is whose faults are all looked for: one for each value in it and for each character of its strings.
 * The faults of a larger one would be work without a bound that its sender chooses (CVE-2020-8192), so that only the
 * first is named.
 */
const EXPLAINED_SIZE = 2_000

/**
 * Makes a compiler of schemas of the document into checks. Nothing is coerced; defaults of missing properties are
 * filled in. The first fault ends a check, so that no input makes it long.
 */
export function checksOf (schemas: Schemas, direction: Direction = 'response'): (schema: Schema) => Check {
  return compilersOf(schemas, direction)({ allErrors: false })
}

/**
 * Makes a compiler of the schemas of requests into validators, which fill in the defaults of what a value lacks. Every
 * schema is compiled when it is first needed, so that a large document starts soon.
 */
export function partValidatorsOf (schemas: Schemas): (part: RequestPart, schema: Schema) => PartValidator {
  const compilerOf = compilersOf(schemas, 'request')
  const [checkOf, thoroughCheckOf] = [compilerOf({ allErrors: false }), compilerOf({ allErrors: true })]
  return (part, schema) => {
    const spellings = schema[SPELLINGS] as Record<string, string> | undefined
    const check = once(() => checkOf(schema))
    // Compiled when the first of its faults comes, so that nothing is compiled twice that never has one.
    const thoroughCheck = once(() => thoroughCheckOf(schema))
    return (value) => {
      if (check()(value)) return undefined
      const explain = sizeOf(value) > EXPLAINED_SIZE ? check() : thoroughCheck()
      if (explain !== check()) explain(value)
      const { message, faults } = describeFaults(part, explain.errors!, spellings)
      return new RequestError(400, message, {}, faults)
    }
  }
}

/** Makes compilers of checks that share what they need of the document. */
function compilersOf (
  schemas: Schemas,
  direction: Direction
): (options: { allErrors: boolean }) => (schema: Schema) => Check {
  const bundle = bundlerOf(schemas, (schema) => schemaForAjv(schemas, schema, direction))
  return ({ allErrors }) => {
    // Keywords and formats that JSON Schema does not know are annotations in OpenAPI 3.1, so Ajv may not refuse them.
    // That the schemas are valid was checked when the document was read, so Ajv does not check them again.
    const ajv = new Ajv2020({
      strict: false,
      // An object has no property `constructor` that nobody sent.
      ownProperties: true,
      logger: false,
      verbose: true,
      allErrors,
      meta: false,
      validateSchema: false,
      // Compares the values of an enum instead of writing them into the code as JSON, which has no bigints.
      loopEnum: 0,
      code: { regExp }
    })
    formats.default(ajv)
    addDefaults(ajv)
    addNumberKeywords(ajv)
    addBinaryKeywords(ajv)
    addUnevaluatedKeywords(ajv)
    return (schema) => compile(ajv, bundle(schema))
  }
}

function compile (ajv: Ajv2020, { schema, referenced }: Bundle): Check {
  for (const [id, target] of referenced) if (!ajv.getSchema(id)) ajv.addSchema(target, id)
  return ajv.compile(schema)
}

const regExp = Object.assign((pattern: string) => regExpOf(pattern), { code: 'regExpOf' })

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
