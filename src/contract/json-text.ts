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

function exactBound (name: string, value: unknown): unknown {
  if (name === 'minimum' && value === Number(INT64_MIN)) return INT64_MIN
  if (name === 'maximum' && value === Number(INT64_MAX)) return INT64_MAX
  return value
}
