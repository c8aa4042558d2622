import type { Document as YamlDocument, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { readDocument } from './document/document.js'
import { METHODS, type Document } from './document/openapi.js'
import { fragmentTokensOf } from './document/pointer.js'
import { jsonTextOf } from './document-text.js'
import { operationsOf, type Operation } from './operation/operation.js'

/** A document as it is served: its text, what that says, and a handler for each of its operations. */
export interface Served {
  source: string
  document: Document
  operations: Operation[]
  handlers: object
}

/**
 * Decides what is served of a document: all of it, or what is left {@link withoutExperimental}. `json` is its text in
 * JSON.
 */
export async function servedOf (
  { document, source }: Pick<Served, 'document' | 'source'>,
  experimental: boolean,
  handlersOf: (operations: Operation[]) => object
): Promise<Served & { json: string }> {
  const operations = operationsOf(document)
  const all = { source, document, operations, handlers: handlersOf(operations) }
  const served = experimental ? all : await withoutExperimental(all)
  return { ...served, json: jsonTextOf(served.document) }
}

/**
 * Takes out of a document the operations that are `x-stability: experimental`, and the paths that have no other.
 * Everything else of the text stays, its comments and what only those operations referred to, though its blanks may
 * not.
 * @throws {ContractError} when what is left does not hold together
 */
export async function withoutExperimental (served: Served): Promise<Served> {
  const hidden = served.operations.filter(({ stability }) => stability === 'experimental')
  if (hidden.length === 0) return served
  const library = await import('yaml')
  const yaml = library.parseDocument(served.source, { intAsBigInt: true })
  writeAliasesOut(yaml, library)
  for (const { pointer } of hidden) {
    const keys = fragmentTokensOf(pointer)
    yaml.deleteIn(keys)
    const keysOfItem = keys.slice(0, -1)
    const item = yaml.getIn(keysOfItem)
    const isEmpty = library.isMap(item) && !METHODS.some((method) => item.has(method))
    if (keysOfItem[0] === 'paths' && isEmpty) yaml.deleteIn(keysOfItem)
  }
  const source = yaml.toString({ lineWidth: 0 })
  const document = await readDocument(source)
  const names = hidden.map(({ operationId }) => operationId)
  return {
    source,
    document,
    operations: operationsOf(document),
    handlers: Object.fromEntries(Object.entries(served.handlers).filter(([name]) => !names.includes(name)))
  }
}

/** An alias may not lose what it stands for, nor a map what a merge key gives it. */
function writeAliasesOut (yaml: YamlDocument, { visit, isSeq }: typeof import('yaml')): void {
  visit(yaml, { Alias: (_key, alias) => alias.resolve(yaml)?.clone() as Node })
  visit(yaml, {
    Node: (_key, node) => {
      if ('anchor' in node) delete node.anchor
    }
  })
  visit(yaml, { Map: (_key, map) => writeMergesOut(map) })

  /** Puts what each plain `<<` of a map stands for into it; what the map or an earlier one says itself counts. */
  function writeMergesOut (map: YAMLMap): void {
    for (const merge of map.items.filter(isMerge)) {
      map.items.splice(map.items.indexOf(merge), 1)
      const sources = isSeq(merge.value) ? merge.value.items : [merge.value]
      for (const source of sources as YAMLMap[]) {
        writeMergesOut(source)
        for (const pair of source.items) if (!map.has(pair.key)) map.items.push(pair)
      }
    }
  }
}

function isMerge ({ key }: Pair): boolean {
  const { value, type } = key as Scalar
  return value === '<<' && type === 'PLAIN'
}
