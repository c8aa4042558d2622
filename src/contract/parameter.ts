import { toInteger } from './int64.js'
import { resolve } from './reference.js'
import { DOCUMENT_ID, type Schema } from './schema.js'

/** Turns the strings of a path, query or header into the values that their schemas ask for. */
export type Decoder = (values: Record<string, unknown>) => Record<string, unknown>

const INTEGER = /^-?(0|[1-9]\d*)$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * A decoder for an object schema of parameters. Only one spelling of a value is understood (`20`, `-1`, `0.5`, `true`); anything
 * else stays the string that it is, for the validator to refuse. Parameters that were not sent get their `default`.
 */
export function decoderOf (document: object, schema: Schema): Decoder {
  const parameters = Object.entries(schema.properties ?? {}).map(([name, declared]) => ({ name, schema: inside(document, declared) }))
  return (values) => {
    const decoded: Record<string, unknown> = { ...values }
    for (const { name, schema } of parameters) {
      if (Object.hasOwn(decoded, name)) decoded[name] = decode(document, schema, decoded[name])
      else if (schema.default !== undefined) decoded[name] = structuredClone(schema.default)
    }
    return decoded
  }
}

function decode (document: object, schema: Schema, value: unknown): unknown {
  const types = [schema.type].flat()
  if (types.includes('array')) return [value].flat().map((item) => decode(document, inside(document, schema.items ?? {}), item))
  if (typeof value !== 'string') return value
  if (types.includes('integer') && INTEGER.test(value)) return toInteger(value)
  if (types.includes('number') && NUMBER.test(value)) return Number(value)
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function inside (document: object, schema: Schema): Schema {
  const local = schema.$ref?.startsWith(DOCUMENT_ID) ? { $ref: schema.$ref.slice(DOCUMENT_ID.length) } : schema
  return resolve(document, { value: local, pointer: '#' }).value
}
