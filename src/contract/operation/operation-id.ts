import { METHODS, type Document, type OperationObject, type PathItem } from '../document/document.js'

/** What this project says of an operation beyond OpenAPI, and another may say in other words. */
const OURS = ['deprecated', 'x-deprecated-since', 'x-deprecated-sunset', 'x-successor', 'x-stability'] as const

/**
 * A document from elsewhere in the form that is asked of our own: each operation has an operationId, made of its method
 * and path where it has none (`getBooksByBookId`), and nothing of what this project adds to OpenAPI.
 */
export function asOurs (document: Document): Document {
  const taken = new Set(operationsIn(document).map(({ object }) => object.operationId))
  const copy = structuredClone(document)
  for (const { path, method, object } of operationsIn(copy)) {
    for (const name of OURS) delete object[name]
    if (object.operationId) continue
    const name = nameOf(method, path)
    let id = name
    for (let count = 2; taken.has(id); count++) id = `${name}${count}`
    taken.add(id)
    object.operationId = id
  }
  return copy
}

function operationsIn ({
  paths = {},
  components = {}
}: Document): { path: string; method: string; object: OperationObject }[] {
  const items = [
    ...Object.entries(paths),
    ...Object.entries((components as { pathItems?: Record<string, PathItem> }).pathItems ?? {})
  ]
  return items.flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, object: item[method] }] : []))
  )
}

function nameOf (method: string, path: string): string {
  const words = path
    .replace(/\{([^}]+)\}/g, ' by $1 ')
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
