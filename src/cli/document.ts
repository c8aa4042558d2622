import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { checkedDocumentOf, readDocument, type Document } from '../contract/index.js'
import { readPackageFile } from './files/package-file.js'

const STALE = 'generated/ does not match openapi/petstore.yaml; run: npm run generate'

/**
 * Reads `openapi/petstore.yaml` of a folder. A text that `npm run generate` has read and checked before is not checked
 * again: what came out then is `generated/petstore.json`. Any other comes with a warning, in a repository.
 * @throws {ContractError} when the document cannot be used
 * @throws {StartRefusal} when it cannot be read
 */
export async function openDocument (
  folder: URL
): Promise<{ source: string; document: Document; warnings: string[] }> {
  const source = readPackageFile('openapi/petstore.yaml', folder)
  const [json, proof] = await Promise.all([
    textOrNothing(new URL('generated/petstore.json', folder)),
    textOrNothing(new URL('generated/openapi.sha256', folder))
  ])
  if (proof === proofOf(source, json)) return { source, document: checkedDocumentOf(json), warnings: [] }
  const isRepository = existsSync(new URL('scripts/generate.ts', folder))
  return { source, document: await readDocument(source), warnings: isRepository ? [STALE] : [] }
}

/** What was generated only spares work; where it cannot be read, the document is read and checked. */
function textOrNothing (file: URL): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

/**
 * Writes `generated/openapi.sha256`, which says that the JSON is what was read from the YAML: the digest of each, in
 * the form that `sha256sum --check` takes.
 */
export function proofOf (yaml: string, json: string): string {
  return `${sha256Of(yaml)}  ../openapi/petstore.yaml\n${sha256Of(json)}  petstore.json\n`
}

function sha256Of (text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
