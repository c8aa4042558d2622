import { numberOf, toInteger } from '../document/int64.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'

const INTEGER = /^(0|-?[1-9]\d*)$/
/** A number as JSON writes it (RFC 8259, section 6). */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i

/**
 * Makes a reader that turns a text into the number, boolean or string that a schema asks for. An integer has one
 * spelling (`20`, `-1`), a number those of JSON (`0.5`, `1e-7`), a boolean `true` or `false`. Anything else stays text,
 * for the validator to refuse.
 */
export function scalarReaderOf (schemas: Schemas, schema: Schema): (text: string) => unknown {
  const types = schemas.types(schema)
  const [isInteger, isNumber, isBoolean] = ['integer', 'number', 'boolean'].map((type) => types.includes(type))
  return (text) => {
    if (isInteger && INTEGER.test(text)) return toInteger(text)
    const number = isNumber && NUMBER.test(text) ? numberOf(text) : undefined
    if (typeof number === 'bigint' || Number.isFinite(number)) return number
    if (isBoolean && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
}
