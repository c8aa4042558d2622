import { toInteger } from '../document/int64.js'
import { typesOf, type Schema } from '../document/schema.js'

const INTEGER = /^(0|-?[1-9]\d*)$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * Turns a text into the value that a schema asks for. Only one spelling of a value is understood (`20`, `-1`, `0.5`,
 * `true`); anything else stays the text that it is, for the validator to refuse.
 */
export function scalarOf (document: object, schema: Schema): (text: string) => unknown {
  const types = typesOf(document, schema)
  return (text) => {
    if (types.includes('integer') && INTEGER.test(text)) return toInteger(text)
    if (types.includes('number') && NUMBER.test(text)) return Number(text)
    if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
}
