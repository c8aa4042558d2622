import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ContractError } from './contract-error.js'
import { violationOf } from './expectation.js'
import type { Document } from './openapi.js'
import { regExpOf } from './pattern.js'
import { pointerTo } from './pointer.js'
import { isReference, resolve } from './reference.js'
import type { Schema } from './schema.js'
import { visitSchemas, withoutData } from './walk.js'

/** JSON Schema 2020-12, on which the dialects of OpenAPI 3.1 and 3.2 are based. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const DIALECTS = ['https://spec.openapis.org/oas/3.1/dialect/base', DIALECT]
const DATED_DIALECT = /^https:\/\/spec\.openapis\.org\/oas\/3\.[12]\/dialect\/\d{4}-\d\d-\d\d#?$/

/** What schemas of OpenAPI 3.2 say of values that is not supported. */
const UNSUPPORTED = [['discriminator', 'defaultMapping'], ['xml', 'nodeType']] as const

/**
 * Checks that every `$ref` of the document can be followed.
 * @throws {ContractError} for the first that cannot, or that leads into data, where nothing is checked
 */
export function checkReferences (document: object): void {
  const pointers = new Map<unknown, string>()
  visitSchemas(document, ({ value, pointer }) => pointers.set(value, pointer))
  for (const [value, pointer] of pointers) {
    if (!isReference(value)) continue
    const { value: target } = resolve<unknown>(document, { value, pointer })
    if (typeof target === 'object' && target !== null && !pointers.has(target)) {
      throw new ContractError(
        `${pointer}: the reference ${value.$ref} leads into an extension, an example or a list of values, ` +
          'which is not supported.'
      )
    }
  }
}

/**
 * Checks what the OpenAPI schema leaves open and the validator would find too late.
 * @throws {ContractError} for the first schema that could not be served, with its place
 */
export function checkSchemas (document: Document): void {
  checkDialect(document.jsonSchemaDialect, '#/jsonSchemaDialect')
  const isJsonSchema = !document.openapi.startsWith('3.0')
  const check = schemaCheck()
  visitSchemas(document, ({ value: schema, pointer }) => {
    checkDialect(schema.$schema, pointer)
    for (const [keyword, field] of UNSUPPORTED) {
      const object = schema[keyword]
      if (isJsonSchema && typeof object === 'object' && object !== null && field in object) {
        throw new ContractError(`${pointerTo(pointer, keyword, field)}: the ${field} of a schema is not supported.`)
      }
    }
    if (isJsonSchema && /\/schema$|\/components\/schemas\/[^/]+$/.test(pointer)) check(schema, pointer)
    // A reference may lead out of what the OpenAPI schema or the check of the line above knows to be schemas.
    if (isInSchema(pointer) && typeof schema.$ref === 'string' && !isInSchema(schema.$ref)) {
      check(resolve(document, { value: schema, pointer }).value, schema.$ref)
    }
    for (const pattern of [schema.pattern, ...keysOf(schema.patternProperties)]) {
      if (typeof pattern === 'string') checkPattern(pattern, pointer)
    }
  })
}

/**
 * A check that a schema is one of JSON Schema: the OpenAPI schema of 3.0 describes its schemas, that of 3.1 leaves them
 * open. Compiled when it is first used.
 */
function schemaCheck (): (schema: Schema, pointer: string) => void {
  let isSchema: ValidateFunction | undefined
  return (schema, pointer) => {
    isSchema ??= new Ajv2020({ strict: false, logger: false, validateFormats: false }).getSchema(DIALECT)!
    // Annotations that are not as they should be, such as an example in examples, harm nobody.
    if (isSchema(withoutData(schema))) return
    throw new ContractError(violationOf('JSON Schema', pointer, isSchema.errors![0]!))
  }
}

function isInSchema (pointer: string): boolean {
  return /\/(schema|components\/schemas\/[^/]+)(\/|$)/.test(pointer)
}

function checkDialect (dialect: unknown, pointer: string): void {
  if (typeof dialect === 'string' && !DIALECTS.includes(dialect.replace(/#$/, '')) && !DATED_DIALECT.test(dialect)) {
    throw new ContractError(
      `${pointer}: the schema dialect ${dialect} is not supported; ${DIALECTS.join(' and ')} are.`
    )
  }
}

function checkPattern (pattern: string, pointer: string): void {
  try {
    regExpOf(pattern)
  } catch (cause) {
    throw new ContractError(`${pointer}: the pattern ${pattern} is no regular expression of JavaScript (ECMA-262).`, {
      cause
    })
  }
}

function keysOf (map: unknown): string[] {
  return typeof map === 'object' && map !== null ? Object.keys(map) : []
}
