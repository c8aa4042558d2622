import type { SchemaValidateFunction } from 'ajv'
import type Ajv from 'ajv/dist/core.js'
import { rewriteSchemas, type Schema } from '../document/schema.js'

/**
 * Whether a value of a schema is bytes where its media type has any: `format: binary`, or in 3.1 a media type and no
 * encoding of it.
 */
export function isBinary ({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
}

/**
 * A copy of a schema for a validator that knows bytes ({@link addBinaryKeywords}): they are strings whose length is
 * counted in bytes.
 */
export function binaryStrings<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const types = [schema.type].flat()
    if (!types.includes('string') || !isBinary(schema)) return schema
    const { type, format, ...rest } = schema
    return {
      ...rest,
      binary: types,
      ...(rest.minLength === undefined ? {} : { minBytes: rest.minLength }),
      ...(rest.maxLength === undefined ? {} : { maxBytes: rest.maxLength })
    } as Schema
  })
}

export function addBinaryKeywords (ajv: Ajv.default): void {
  const add = (keyword: string, fits: (limit: never, value: unknown) => boolean, message: (limit: unknown) => string) =>
    ajv.addKeyword({
      keyword,
      validate: fits as SchemaValidateFunction,
      error: { message: ({ schema }) => message(schema) }
    })
  add(
    'binary',
    (types: string[], value) => value instanceof Uint8Array || types.includes(typeOf(value)),
    () => 'must be a file'
  )
  add(
    'minBytes',
    (limit: number, value) => !(value instanceof Uint8Array) || value.length >= limit,
    (limit) => `must have at least ${limit} bytes`
  )
  add(
    'maxBytes',
    (limit: number, value) => !(value instanceof Uint8Array) || value.length <= limit,
    (limit) => `must have at most ${limit} bytes`
  )
}

function typeOf (value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
