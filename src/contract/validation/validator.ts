import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { regExpOf } from '../document/pattern.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { describeFaults, type RequestPart } from '../request/message.js'
import type { ParameterValues } from '../request/parameters.js'
import { RequestError } from '../request/request-error.js'
import { addBinaryKeywords } from './binary.js'
import { bundlerOf, type Bundle } from './bundle.js'
import { schemaForAjv, type Direction } from './for-ajv.js'
import { addNumberKeywords } from './int64-keywords.js'

/** Tells whether a value fits a schema; `errors` says why not. */
export type Check = ReturnType<Ajv2020['compile']>

/** What a request to an operation is validated against. */
export interface RequestSchemas {
  path: Schema
  query: Schema
  header: Schema
  cookie: Schema
  body?: BodySchemas
}

/** The schema of a body by each key of its content. */
export interface BodySchemas {
  required: boolean
  content: Record<string, Schema>
}

/**
 * Validates what was read from a request, and fills in the defaults of what it lacks. A body has the key of the content
 * that declares it; without one there is no body.
 * @throws {RequestError} 400 for the first part that does not fit, with all its faults
 */
export type RequestValidator = (
  values: ParameterValues,
  body: { body?: unknown; contentKey?: string | undefined }
) => void

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
 * Makes a compiler of the validators of requests. Every check is compiled when it is first needed, so that a large
 * document starts soon.
 */
export function requestValidatorsOf (schemas: Schemas): (requestSchemas: RequestSchemas) => RequestValidator {
  const compilerOf = compilersOf(schemas, 'request')
  const [checkOf, thoroughCheckOf] = [compilerOf({ allErrors: false }), compilerOf({ allErrors: true })]
  const partValidatorOf = (part: RequestPart, schema: Schema) => {
    const check = once(() => checkOf(schema))
    // Compiled when the first of its faults comes, so that nothing is compiled twice that never has one.
    const thoroughCheck = once(() => thoroughCheckOf(schema))
    return (value: unknown): void => {
      if (check()(value)) return
      const errors = sizeOf(value) > EXPLAINED_SIZE ? check().errors! : errorsOf(thoroughCheck(), value)
      throw new RequestError(400, describeFaults(part, errors))
    }
  }
  return ({ path, query, header, cookie, body: { required, content } = { required: false, content: {} } }) => {
    const validatePath = partValidatorOf('path', path)
    const validateQuery = partValidatorOf('query', query)
    const validateHeaders = partValidatorOf('header', header)
    const validateCookies = partValidatorOf('cookie', cookie)
    const bodyValidators = new Map(
      Object.entries(content).map(([key, schema]) => [key, partValidatorOf('body', schema)])
    )
    return (values, { body, contentKey }) => {
      validatePath(values.params)
      if (contentKey !== undefined) bodyValidators.get(contentKey)!(body)
      else if (required) throw new RequestError(400, 'The body is required.')
      validateQuery(values.query)
      validateHeaders(values.headers)
      validateCookies(values.cookies)
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
    // What finds all faults is given schemas that were looked at before, and takes part in requests, where looking at
    // them again would take too long.
    const ajv = new Ajv2020({
      strict: false,
      useDefaults: true,
      logger: false,
      verbose: true,
      allErrors,
      validateSchema: !allErrors,
      code: { regExp }
    })
    formats.default(ajv)
    addNumberKeywords(ajv)
    addBinaryKeywords(ajv)
    return (schema) => compile(ajv, bundle(schema))
  }
}

function compile (ajv: Ajv2020, { schema, referenced }: Bundle): Check {
  for (const [id, target] of referenced) if (!ajv.getSchema(id)) ajv.addSchema(target, id)
  return ajv.compile(schema)
}

const regExp = Object.assign((pattern: string) => regExpOf(pattern), { code: 'regExpOf' })

function errorsOf (check: Check, value: unknown): ErrorObject[] {
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
