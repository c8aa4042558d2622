import type { Document } from '../../src/contract/document/openapi.js'
import type { Operation } from '../../src/contract/operation/operation.js'

/** An operation, and the document that its references are of. */
export interface Version {
  document: Document
  operation: Operation
}

/** Writes the method and the path of an operation as HTTP does: `GET /pets`. */
export function methodAndPath ({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}
