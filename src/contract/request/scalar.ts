import { toInteger } from '../document/int64.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'

const INTEGER = /^(0|-?[1-9]\d*)$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * Makes a reader that turns a text into the number, boolean or string that a schema asks for. Only one spelling of a
 * value is understood (`20`, `-1`, `0.5`, `true`); anything else stays the text that it is, for the validator to
 * refuse.
 */
export function scalarReaderOf (schemas: Schemas, schema: Schema): (text: string) => unknown {
  const types = schemas.types(schema)
  const [isInteger, isNumber, isBoolean] = ['integer', 'number', 'boolean'].map((type) => types.includes(type))
  return (text) => {
    if (isInteger && INTEGER.test(text)) return toInteger(text)
    if (isNumber && NUMBER.test(text)) return Number(text)
    if (isBoolean && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
}
