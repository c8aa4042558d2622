import { stringify } from 'lossless-json'
import { INT64_MAX, INT64_MIN } from './document/int64.js'
import type { Document } from './document/openapi.js'

/**
 * Writes a document as JSON, with the bounds of int64 digit for digit: as JavaScript numbers they are rounded, and
 * would be written as integers that are no int64.
 */
export function jsonTextOf (document: Document, indentation?: number): string {
  return stringify(document, exactBound, indentation)!
}

/** Writes a document as YAML, with the bounds of int64 digit for digit. */
export async function yamlTextOf (document: Document): Promise<string> {
  // Loaded here: only a mock needs it, and not where it serves no document.
  const { parse, stringify: stringifyYaml } = await import('yaml')
  return stringifyYaml(parse(jsonTextOf(document), { intAsBigInt: true }), { lineWidth: 0 })
}

function exactBound (name: string, value: unknown): unknown {
  if (name === 'minimum' && value === Number(INT64_MIN)) return INT64_MIN
  if (name === 'maximum' && value === Number(INT64_MAX)) return INT64_MAX
  return value
}
