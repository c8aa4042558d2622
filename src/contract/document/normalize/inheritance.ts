import { ContractError } from '../contract-error.js'
import type { Document } from '../openapi.js'
import { isReference, lookUp } from '../reference.js'
import { inPlaceSubschemasOf, type Schema } from '../schema.js'
import { visitSchemas } from '../walk.js'

/** A schema whose `$ref` leads from a child to its parent, which lists the child among its `alternatives`. */
interface Extension {
  reference: Schema
  parent: Schema
  alternatives: 'oneOf' | 'anyOf'
}

/**
 * Ends the loops of a common way to write inheritance: a parent lists its children in a `oneOf` or `anyOf`, and each
 * child refers to the parent in its `allOf`. There the parent stands for its own keywords only, without the children.
 * @throws {ContractError} for any other loop: by a schema that leads back to itself while it still describes the same
 * value, that value would be judged without end
 */
export function cutInheritanceLoops (document: Document): void {
  // What takes the place of a reference may have references to parents of its own.
  while (true) {
    const extensions = extensionsIn(document)
    if (extensions.size === 0) return
    for (const extension of extensions.values()) replaceReference(document, extension)
  }
}

/** The extensions that lie on loops, by their references, one at least of each loop. */
function extensionsIn (document: Document): Map<Schema, Extension> {
  const extensions = new Map<Schema, Extension>()
  const done = new Set<Schema>()
  const path: Schema[] = []
  const follow = (schema: Schema, pointer: string): void => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return
    const start = path.indexOf(schema)
    if (start !== -1) {
      const extension = extensionOn(path.slice(start), document)
      if (!extension) {
        throw new ContractError(`${pointer}: the schema refers to itself for the same value, which has no end.`)
      }
      extensions.set(extension.reference, extension)
      return
    }
    path.push(schema)
    const target = isReference(schema) ? [lookUp(document, schema.$ref, pointer) as Schema] : []
    for (const next of [...inPlaceSubschemasOf(schema), schema.if as Schema, schema.not as Schema, ...target]) {
      follow(next, pointer)
    }
    path.pop()
    done.add(schema)
  }
  visitSchemas(document, ({ value, pointer }) => follow(value, pointer))
  return extensions
}

/** The first extension on a loop of schemas, each of which leads to the next; undefined when it has none. */
function extensionOn (loop: Schema[], document: Document): Extension | undefined {
  const at = (index: number): Schema => loop[(index + loop.length) % loop.length]!
  for (const [index, reference] of loop.entries()) {
    const [child, parent, next] = [at(index - 1), at(index + 1), at(index + 2)]
    const alternatives = (['oneOf', 'anyOf'] as const).find((keyword) => lists(parent, keyword, next))
    if (!isReference(reference) || !alternatives) continue
    const extension = { reference, parent, alternatives }
    const isBase = lists(child, 'allOf', reference) || besideReference(document, reference).length > 0
    const isAlias = Object.keys(child).length === 1 && (child.allOf as unknown[] | undefined)?.length === 1
    if (isBase && !(isAlias && Object.keys(ownKeywords(extension)).length === 0)) return extension
  }
  return undefined
}

function lists (schema: Schema, keyword: 'allOf' | 'anyOf' | 'oneOf', part: Schema): boolean {
  return ((schema[keyword] ?? []) as Schema[]).includes(part)
}

/** What stands beside a `$ref`, which counts in 3.1 only. */
function besideReference ({ openapi }: Document, { $ref, ...beside }: Schema): [keyword: string, value: unknown][] {
  return openapi.startsWith('3.0') ? [] : Object.entries(beside)
}

function ownKeywords ({ parent, alternatives }: Extension): Schema {
  const { [alternatives]: children, discriminator, ...own } = parent
  return own
}

/** Replaces a reference, in its place, by the own keywords of the parent and what stands beside it. */
function replaceReference (document: Document, extension: Extension): void {
  const { reference } = extension
  const beside: Schema = Object.fromEntries(besideReference(document, reference))
  const own = ownKeywords(extension)
  for (const keyword of Object.keys(reference)) delete reference[keyword]
  const isAlone = Object.keys(beside).length === 0
  Object.assign(reference, isAlone ? own : { ...beside, allOf: [...((beside.allOf ?? []) as Schema[]), own] })
}
