#!/usr/bin/env tsx
// Makes generated/ from openapi/petstore.yaml. --check makes nothing: it fails when a file is stale.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { readDocument } from '../src/contract/document/document.js'
import { readOptions } from './command/arguments.js'
import { filesOf } from './generate/package.js'

const options = readOptions(
  'Usage: npm run generate [-- --check]\n\nMakes generated/ from openapi/petstore.yaml.\n  --check  change nothing, exit 1 when a file is stale',
  { check: { type: 'boolean' } }
)

const folder = new URL('../generated/', import.meta.url)
const source = await readFile(new URL('../openapi/petstore.yaml', import.meta.url), 'utf8')
const files = await filesOf(await readDocument(source))

await mkdir(folder, { recursive: true })
const present = await readdir(folder)
const stale = []
for (const [name, text] of files) {
  if (present.includes(name) && (await readFile(new URL(name, folder), 'utf8')) === text) continue
  stale.push(name)
  if (!options.check) await writeFile(new URL(name, folder), text)
}
const foreign = present.filter((name) => !files.has(name))
if (foreign.length > 0) console.error(`generated/ holds what was not generated: ${foreign.join(', ')}`)
if (options.check && stale.length > 0) {
  console.error(`Stale: ${stale.map((name) => `generated/${name}`).join(', ')}. Run: npm run generate`)
}
if (!options.check) {
  console.log(
    stale.length > 0 ? `Wrote ${stale.map((name) => `generated/${name}`).join(', ')}` : 'generated/ was up to date'
  )
}
process.exitCode = foreign.length > 0 || (options.check && stale.length > 0) ? 1 : 0
