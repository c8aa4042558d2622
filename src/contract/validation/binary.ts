import type { SchemaValidateFunction } from 'ajv'
import type Ajv from 'ajv/dist/core.js'
import { isBinary, jsonTypeOf, type Schema } from '../document/schema.js'
import { rewriteSchemas } from '../document/walk.js'

/**
 * Makes a copy of a schema for a validator that knows bytes ({@link addBinaryKeywords}): they are strings whose length
 * is counted in bytes.
 */
export function withBinaryKeywords<Node> (node: Node): Node {
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

/** Teaches a validator the keywords of {@link withBinaryKeywords}. */
export function addBinaryKeywords (ajv: Ajv.default): void {
  const add = (keyword: string, fits: (limit: never, value: unknown) => boolean, message: (limit: unknown) => string) =>
    ajv.addKeyword({
      keyword,
      validate: fits as SchemaValidateFunction,
      error: { message: ({ schema }) => message(schema) }
    })
  add(
    'binary',
    (types: string[], value) => value instanceof Uint8Array || types.includes(jsonTypeOf(value)),
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
