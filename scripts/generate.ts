#!/usr/bin/env tsx
// Makes generated/ from openapi/petstore.yaml. --check makes nothing: it fails when a file is stale.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ContractError } from '../src/contract/document/contract-error.js'
import { readOptions } from './command/arguments.js'
import { readSource } from './documents/read-file.js'
import { CLIENT_LIMIT, clientSizeOf } from './generate/client.js'
import { generatedFrom } from './generate/package.js'

const options = readOptions(
  `Usage: npm run generate [-- --check]

Makes generated/ from openapi/petstore.yaml.
  --check  change nothing, exit 1 when a file is stale`,
  { check: { type: 'boolean' } }
)

const folder = new URL('../generated/', import.meta.url)
const source = readSource(new URL('../openapi/petstore.yaml', import.meta.url))
const files = await source.then(generatedFrom).catch((error: unknown) => {
  if (!(error instanceof ContractError)) throw error
  console.error(`openapi/petstore.yaml: ${error.message}`)
  process.exit(1)
})

const present = await filesIn(folder)
const stale: string[] = []
for (const [name, text] of files) {
  if (present.includes(name) && (await readFile(new URL(name, folder), 'utf8')) === text) continue
  stale.push(name)
  if (options.check) continue
  await mkdir(new URL('.', new URL(name, folder)), { recursive: true })
  await writeFile(new URL(name, folder), text)
}
const others = present.filter((name) => !files.has(name))
if (others.length > 0) console.error(`generated/ holds what was not generated: ${others.join(', ')}`)
if (options.check && stale.length > 0) {
  console.error(`Stale: ${pathsOf(stale)}. Run: npm run generate`)
}
if (!options.check) console.log(stale.length > 0 ? `Wrote ${pathsOf(stale)}` : 'generated/ was up to date')
const size = await clientSizeOf(files.get('client.mjs')!)
console.log(`The client adds ${size} bytes to a page, minified and gzipped; at most ${CLIENT_LIMIT} are allowed.`)
const fails = others.length > 0 || size > CLIENT_LIMIT || (options.check && stale.length > 0)
process.exitCode = fails ? 1 : 0

async function filesIn (folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const path = fileURLToPath(folder)
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(path, join(parentPath, name)))
}

function pathsOf (names: string[]): string {
  return names.map((name) => `generated/${name}`).join(', ')
}
