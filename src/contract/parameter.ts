import { toInteger } from './int64.js'
import { schemaAt, typesOf, type Schema } from './schema.js'

/** Turns the strings of a path, query or header into the values that their schemas ask for. */
export type Decoder = (values: Record<string, unknown>) => Record<string, unknown>

const INTEGER = /^(0|-?[1-9]\d*)$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * A decoder for an object schema of parameters. Only one spelling of a value is understood (`20`, `-1`, `0.5`, `true`); anything
 * else stays the string that it is, for the validator to refuse. Parameters that were not sent get their `default`.
 */
export function decoderOf (document: object, schema: Schema): Decoder {
  const parameters = Object.entries(schema.properties ?? {}).map(([name, declared]) =>
    ({ name, decode: valueDecoderOf(document, declared) }))
  return (values) => {
    const decoded: Record<string, unknown> = { ...values }
    for (const { name, decode } of parameters) if (Object.hasOwn(decoded, name)) decoded[name] = decode(decoded[name])
    return decoded
  }
}

function valueDecoderOf (document: object, schema: Schema): (value: unknown) => unknown {
  const types = typesOf(document, schema)
  if (types.includes('array')) {
    const decode = valueDecoderOf(document, schemaAt(document, schema).items ?? {})
    return (value) => [value].flat().map(decode)
  }
  return (value) => {
    if (typeof value !== 'string') return value
    if (types.includes('integer') && INTEGER.test(value)) return toInteger(value)
    if (types.includes('number') && NUMBER.test(value)) return Number(value)
    if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
    return value
  }
}
