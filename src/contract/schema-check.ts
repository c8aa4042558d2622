import { Ajv2020 } from 'ajv/dist/2020.js'
import { ContractError } from './contract-error.js'
import type { Document } from './document.js'
import { regExpOf } from './pattern.js'
import { pointerTo, resolve } from './reference.js'
import { visitPlaces, withoutData, type Schema } from './schema.js'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const DIALECTS = ['https://spec.openapis.org/oas/3.1/dialect/base', DIALECT]

/**
 * Checks what the OpenAPI schema leaves open and the validator would find too late.
 * @throws {ContractError} for the first schema that could not be served, with its place
 */
export function checkSchemas (document: Document): void {
  checkDialect(document.jsonSchemaDialect, '#/jsonSchemaDialect')
  checkLoops(document)
  const check = document.openapi.startsWith('3.0') ? undefined : metaCheck()
  visitPlaces(document, ({ value: schema, pointer }) => {
    checkDialect(schema.$schema, pointer)
    if (/\/schema$|\/components\/schemas\/[^/]+$/.test(pointer)) check?.(schema, pointer)
    for (const pattern of [schema.pattern, ...namesOf(schema.patternProperties)]) if (typeof pattern === 'string') checkPattern(pattern, pointer)
    if (Array.isArray(schema.enum) && schema.enum.length === 0) throw new ContractError(`${pointer}: the enum has no values, so that nothing could be valid.`)
  })
}

/**
 * A value is judged without end by a schema that leads back to itself while it still describes the same value.
 * @throws {ContractError} for the first of those
 */
function checkLoops (document: Document): void {
  const done = new Set<Schema>()
  const follow = (schema: Schema, pointer: string, open: Set<Schema>): void => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return
    if (open.has(schema)) throw new ContractError(`${pointer}: the schema refers to itself for the same value, which has no end.`)
    open.add(schema)
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => Array.isArray(schema[keyword]) ? schema[keyword] as Schema[] : [])
    for (const branch of typeof schema.$ref === 'string' ? [...branches, resolve(document, { value: schema, pointer }).value] : branches) follow(branch, pointer, open)
    open.delete(schema)
    done.add(schema)
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) follow(schema, pointerTo('#/components/schemas', name), new Set())
}

/** The OpenAPI schema of 3.0 describes its schemas; that of 3.1 leaves them to JSON Schema. */
function metaCheck (): (schema: Schema, pointer: string) => void {
  const isSchema = new Ajv2020({ strict: false, logger: false, validateFormats: false }).getSchema(DIALECT)!
  return (schema, pointer) => {
    // Annotations that are not as they should be, such as an example in examples, harm nobody.
    if (isSchema(withoutData(schema))) return
    const { instancePath, message, params } = isSchema.errors![0]!
    throw new ContractError(`${pointer}${instancePath}: the schema is not valid, it ${message} ${JSON.stringify(params)}.`)
  }
}

function checkDialect (dialect: unknown, pointer: string): void {
  if (typeof dialect === 'string' && !DIALECTS.includes(dialect.replace(/#$/, ''))) throw new ContractError(`${pointer}: the schema dialect ${dialect} is not supported; ${DIALECTS.join(' and ')} are.`)
}

function checkPattern (pattern: string, pointer: string): void {
  try { regExpOf(pattern) } catch (cause) { throw new ContractError(`${pointer}: the pattern ${pattern} is no regular expression of JavaScript (ECMA-262).`, { cause }) }
}

function namesOf (map: unknown): string[] {
  return typeof map === 'object' && map !== null ? Object.keys(map) : []
}
