import { readFile } from 'node:fs/promises'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'
import { replaceIds } from '../../src/contract/document/normalize/schema-ids.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { readTree } from '../../src/contract/document/text.js'
import { visitSchemas } from '../../src/contract/document/walk.js'

/** A `$ref` whose value does not begin with `#`. */
const OTHER_FILE = /\$ref["']?\s*:\s*["']?(?!["'#\s])/

/**
 * Reads an OpenAPI document from a file. Where it refers to other files below its folder, they become part of it;
 * nothing else is read, be it beside that folder or on the network.
 * @throws {ContractError} with a sentence that names the first place that is wrong
 */
export async function readDocumentFile (file: string): Promise<Document> {
  const text = await readSource(file)
  if (!OTHER_FILE.test(text) || !refersToFiles(readTree(text))) return await readDocument(text)
  // Loaded here, as few documents need it.
  const { bundle } = await import('./bundle.js')
  return await readDocument(await bundle(file))
}

/**
 * Reads the text of a document.
 * @throws {ContractError} when there is no such file, or it cannot be read
 */
export function readSource (file: string | URL): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'There is no such file.' : `The file cannot be read (${cause.code}).`
    throw new ContractError(reason, { cause })
  })
}

function refersToFiles (tree: unknown): boolean {
  if (typeof tree !== 'object' || tree === null || !('openapi' in tree)) return false
  replaceIds(tree)
  let found = false
  visitSchemas(tree, ({ value: { $ref } }) => {
    if (typeof $ref === 'string' && !$ref.startsWith('#')) found = true
  })
  return found
}
