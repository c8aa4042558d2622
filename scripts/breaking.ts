#!/usr/bin/env tsx
// Says what breaks clients of the last released document and package, and whether the changelog declares it.
import { readFile } from 'node:fs/promises'
import { ContractError } from '../src/contract/document/contract-error.js'
import type { Document } from '../src/contract/document/openapi.js'
import { operationsOf } from '../src/contract/operation/operation.js'
import { readOptions } from './command/arguments.js'
import { declarationOf, declaredIn } from './compatibility/changelog.js'
import { breakingChanges } from './compatibility/document.js'
import { packageExportsOf, removedExports } from './compatibility/exports.js'
import { readDocumentFile } from './documents/read-file.js'

const USAGE = `Usage: npm run breaking [-- options]

Compares openapi/petstore.yaml with the last released document, openapi/released.yaml, and what the package exports with
what openapi/released-exports.txt lists. A change that breaks clients must be declared in CHANGELOG.md, under
[Unreleased], by the line that this prints; whatever is declared there must be so.

  --released FILE   another released document; its package exports what is made of it now
  --document FILE   another document of today
  --changelog FILE  another changelog
  --exports         only lists what the package exports now, as a release records it
  --json            one JSON object: {"breaking": [{"change", "declared"}], "untrue": [declared, but not so]}
  -h, --help        this text

Exit codes: 0 nothing breaks that is not declared, 1 something does or a declaration is untrue, 2 the comparison could
not be made.`

const options = readOptions(USAGE, {
  released: { type: 'string' },
  document: { type: 'string', default: 'openapi/petstore.yaml' },
  changelog: { type: 'string', default: 'CHANGELOG.md' },
  exports: { type: 'boolean' },
  json: { type: 'boolean' }
})

try {
  process.exitCode = await run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

async function run (): Promise<number> {
  const document = await read(options.document)
  if (options.exports) {
    console.log((await packageExportsOf(document)).join('\n'))
    return 0
  }
  const released = await read(options.released ?? 'openapi/released.yaml')
  const changes = [
    ...breakingChanges(released, document, new Date()),
    ...(await removedExports(released, document, await releasedExportsOf(released)))
  ]
  const declarations = declaredIn(await readFile(options.changelog, 'utf8'))
  const breaking = changes.map((change) => ({
    change,
    declared: declarations.some((declaration) => declaration.startsWith(change))
  }))
  const untrue = declarations.filter((declaration) => !changes.some((change) => declaration.startsWith(change)))

  if (options.json) console.log(JSON.stringify({ breaking, untrue }))
  else report(breaking, untrue, options.changelog)
  return untrue.length > 0 || breaking.some(({ declared }) => !declared) ? 1 : 0
}

/** What the released package exports, as it was recorded; of another document, what its package would export now. */
async function releasedExportsOf (released: Document): Promise<string[]> {
  if (options.released !== undefined) return await packageExportsOf(released)
  return (await readFile('openapi/released-exports.txt', 'utf8')).trim().split('\n')
}

function report (breaking: { change: string; declared: boolean }[], untrue: string[], changelog: string): void {
  print(
    'Breaks clients, as declared:',
    breaking.filter(({ declared }) => declared).map(({ change }) => change)
  )
  print(
    `Breaks clients, and is not declared in ${changelog} under [Unreleased] by this line:`,
    breaking.filter(({ declared }) => !declared).map(({ change }) => change)
  )
  print(`Declared in ${changelog}, but not so:`, untrue)
  if (breaking.length + untrue.length === 0) console.log('Nothing breaks clients of the last released document.')
}

function print (heading: string, changes: string[]): void {
  if (changes.length > 0) console.log([heading, ...changes.map(declarationOf)].join('\n'))
}

async function read (file: string): Promise<Document> {
  try {
    const document = await readDocumentFile(file)
    operationsOf(document)
    return document
  } catch (cause) {
    throw cause instanceof ContractError ? new ContractError(`${file}: ${cause.message}`, { cause }) : cause
  }
}
