import { readFile } from 'node:fs/promises'
import { ContractError } from '../../src/contract/document/contract-error.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { readDocumentFile } from '../documents/read-file.js'
import { declarationOf, declaredIn } from './changelog.js'
import { breakingChanges } from './document.js'
import { packageExportsOf, removedExports } from './exports.js'

export interface Comparison {
  breaking: { change: string; declared: boolean }[]
  /** What the changelog declares although it breaks nothing. */
  untrue: string[]
}

/** Paths of the files to compare; without `released`, the last released document and its recorded exports. */
export interface Compared {
  released?: string
  document: string
  changelog: string
}

/**
 * Compares a document with a released one, and the breaking changes with what the changelog declares under
 * [Unreleased]. Throws a ContractError, prefixed with the path, for a file that is not an OpenAPI document.
 */
export async function compare ({ released, document, changelog }: Compared): Promise<Comparison> {
  const now = await readDocument(document)
  const before = await readDocument(released ?? 'openapi/released.yaml')
  const exported = released === undefined ? await recordedExports() : await packageExportsOf(before)
  const changes = [
    ...breakingChanges(before, now, new Date()),
    ...(await removedExports(before, now, exported))
  ]
  const declarations = declaredIn(await readFile(changelog, 'utf8'))
  return {
    breaking: changes.map((change) => ({
      change,
      declared: declarations.some((declaration) => declaration.startsWith(change))
    })),
    untrue: declarations.filter((declaration) => !changes.some((change) => declaration.startsWith(change)))
  }
}

/** Returns a comparison as lines for people. */
export function report ({ breaking, untrue }: Comparison, changelog: string): string {
  const declared = breaking.filter((change) => change.declared).map(({ change }) => change)
  const undeclared = breaking.filter((change) => !change.declared).map(({ change }) => change)
  const parts: [heading: string, changes: string[]][] = [
    ['Breaks clients, as declared:', declared],
    [`Breaks clients, and is not declared in ${changelog} under [Unreleased] by this line:`, undeclared],
    [`Declared in ${changelog}, but not so:`, untrue]
  ]
  const lines = parts.flatMap(([heading, changes]) =>
    changes.length > 0 ? [heading, ...changes.map(declarationOf)] : []
  )
  return lines.length > 0 ? lines.join('\n') : 'Nothing breaks clients of the last released document.'
}

/** Reads an OpenAPI document. Throws a ContractError, prefixed with the path, if it is none. */
export async function readDocument (file: string): Promise<Document> {
  try {
    const document = await readDocumentFile(file)
    operationsOf(document)
    return document
  } catch (cause) {
    throw cause instanceof ContractError ? new ContractError(`${file}: ${cause.message}`, { cause }) : cause
  }
}

async function recordedExports (): Promise<string[]> {
  return (await readFile('openapi/released-exports.txt', 'utf8')).trim().split('\n')
}
