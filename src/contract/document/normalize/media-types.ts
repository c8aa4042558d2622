import type { Document, MediaTypeObject } from '../openapi.js'
import { pointerTo } from '../pointer.js'
import { isReference, resolve } from '../reference.js'
import { visitSchemas } from '../walk.js'

/** Puts a copy of what it refers to in the place of each media type that is a `$ref` (OpenAPI 3.2, section 4.7). */
export function replaceMediaTypes (document: Document): void {
  if (!document.openapi.startsWith('3.2')) return
  visitSchemas(document, ({ value: { content }, pointer }) => {
    if (typeof content !== 'object' || content === null) return
    const types = content as Record<string, MediaTypeObject>
    for (const [type, value] of Object.entries(types)) {
      if (!isReference(value)) continue
      types[type] = structuredClone(resolve(document, { value, pointer: pointerTo(pointer, 'content', type) }).value)
    }
  })
}
