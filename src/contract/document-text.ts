import { parse, stringify } from 'lossless-json'
import { numberOf } from './document/int64.js'
import type { Document } from './document/openapi.js'

/** Writes a document, or a value of one, as JSON, with its integers digit for digit. */
export function jsonTextOf (value: unknown, indentation?: number): string {
  return stringify(value, undefined, indentation)!
}

/** Reads a document that was checked before from the text that {@link jsonTextOf} has written of it. */
export function checkedDocumentOf (json: string): Document {
  return parse(json, undefined, { parseNumber: numberOf }) as Document
}

/** Writes a document as YAML, with its integers digit for digit. */
export async function yamlTextOf (document: Document): Promise<string> {
  // Loaded here: only a mock needs it, and not where it serves no document.
  const { stringify: stringifyYaml } = await import('yaml')
  return stringifyYaml(document, { lineWidth: 0, aliasDuplicateObjects: false })
}
