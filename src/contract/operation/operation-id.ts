import { METHODS, type Document, type OperationObject, type PathItem } from '../document/openapi.js'

/** What this layer reads of an operation beyond OpenAPI, or asks more of; another document may mean something else. */
const EXTENSIONS = ['deprecated', 'x-deprecated-since', 'x-deprecated-sunset', 'x-successor', 'x-stability'] as const

/**
 * Makes a copy of a document in which each operation has an operationId, made of its method and path where it has none
 * (`getBooksByBookId`), and none has a deprecation or an extension that this layer would read in its own way.
 */
export function withOperationIds (document: Document): Document {
  const taken = new Set(operationsIn(document).map(({ object }) => object.operationId))
  const copy = structuredClone(document)
  for (const { path, method, object } of operationsIn(copy)) {
    for (const name of EXTENSIONS) delete object[name]
    if (object.operationId) continue
    const name = camelCaseOf(method, path)
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

function camelCaseOf (method: string, path: string): string {
  const words = path
    .replace(/\{([^}]+)\}/g, ' by $1 ')
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
