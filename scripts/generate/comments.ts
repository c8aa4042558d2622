import { addJSDocComment } from 'openapi-typescript'
import ts from 'typescript'
import type { Document } from '../../src/contract/document/openapi.js'
import { namesBigInt, type Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { rewriteSchemas } from '../../src/contract/document/walk.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { inWords } from '../../src/pages/dates.js'

const SAFE_RANGE = `Exact as a JavaScript number only from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`

/**
 * Copies the document and says at whatever may be an integer that a JavaScript number rounds, or a list of them, how
 * far a number is exact.
 */
export function withSafeRanges (document: Document): Document {
  const schemas = new Schemas(document)
  return rewriteSchemas(document, (part) => {
    const described = [part, part.schema as Schema | undefined]
    if (!described.some((schema) => schema && holdsInt64(schemas, schema))) return part
    return { ...part, description: [part.description, SAFE_RANGE].filter(Boolean).join('\n') }
  })
}

function holdsInt64 (schemas: Schemas, schema: Schema, seen = new Set<Schema>()): boolean {
  const target = schemas.dereference(schema)
  const { format, items, ...rest } = target
  if (format === 'int64' || namesBigInt(target)) return true
  if (seen.has(schema)) return false
  seen.add(schema)
  const parts = [items, ...['allOf', 'anyOf', 'oneOf'].map((keyword) => rest[keyword] as Schema[] | undefined)].flat()
  return parts.some((part) => part && holdsInt64(schemas, part, seen))
}

/**
 * Says when a deprecated operation goes and what to call instead, for the tag `@deprecated`; undefined when it is not
 * deprecated.
 */
export function noticeOf ({ deprecation }: Operation, operations: Operation[]): string | undefined {
  if (!deprecation) return undefined
  const successor = operations.find(({ operationId }) => operationId === deprecation.successor)
  const instead = successor
    ? ` Use ${successor.operationId} (${successor.method.toUpperCase()} ${successor.path}) instead.`
    : ''
  return `To be removed on ${inWords(deprecation.sunset)}.${instead}`
}

/** Puts a comment above a declaration, in the form that openapi-typescript gives to its own. */
export function comment<Node extends ts.Node> (
  node: Node,
  about: Parameters<typeof addJSDocComment>[0],
  notice?: string
): Node {
  // Its signature asks for a property, but a comment stands above any node.
  addJSDocComment(
    notice === undefined ? about : { ...about, deprecated: true },
    node as ts.Node as ts.PropertySignature
  )
  return completeDeprecated(node, notice)
}

/** Writes the notice behind the bare `@deprecated` of the comment above a declaration. */
export function completeDeprecated<Node extends ts.Node> (node: Node, notice: string | undefined): Node {
  const comments = ts.getSyntheticLeadingComments(node)
  if (!comments || notice === undefined) return node
  const complete = (text: string) => text.replace('@deprecated', () => `@deprecated ${notice}`)
  return ts.setSyntheticLeadingComments(
    node,
    comments.map((comment) => ({ ...comment, text: complete(comment.text) }))
  )
}
