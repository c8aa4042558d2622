#!/usr/bin/env tsx
// Makes generated/ from openapi/petstore.yaml. --check makes nothing: it fails when a file is stale.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readDocument, type Document } from '../src/contract/document.js'
import { serverTypesOf, typesOf } from './types.js'

const { values: options } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
if (options.help) {
  console.log('Usage: npm run generate [-- --check]\n\nMakes generated/ from openapi/petstore.yaml.\n  --check  change nothing, exit 1 when a file is stale')
  process.exit()
}

const folder = new URL('../generated/', import.meta.url)
const document = await readDocument(await readFile(new URL('../openapi/petstore.yaml', import.meta.url), 'utf8'))
const files = new Map([
  ['package.json', packageOf(document)],
  ['petstore.d.ts', await typesOf(document)],
  ['petstore.json', JSON.stringify(document, null, 2) + '\n'],
  ['server.d.ts', await serverTypesOf(document)]
])

await mkdir(folder, { recursive: true })
const present = await readdir(folder)
const stale = []
for (const [name, text] of files) {
  if (present.includes(name) && await readFile(new URL(name, folder), 'utf8') === text) continue
  stale.push(name)
  if (!options.check) await writeFile(new URL(name, folder), text)
}
const foreign = present.filter((name) => !files.has(name))
if (foreign.length > 0) console.error(`generated/ holds what was not generated: ${foreign.join(', ')}`)
if (options.check && stale.length > 0) console.error(`Stale: ${stale.map((name) => `generated/${name}`).join(', ')}. Run: npm run generate`)
if (!options.check) console.log(stale.length > 0 ? `Wrote ${stale.map((name) => `generated/${name}`).join(', ')}` : 'generated/ was up to date')
process.exitCode = foreign.length > 0 || (options.check && stale.length > 0) ? 1 : 0

function packageOf ({ info }: Document): string {
  const name = `${info.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-types`
  return JSON.stringify({
    name,
    version: info.version,
    description: `Types of the ${info.title}, made from its OpenAPI document.`,
    license: 'MIT',
    type: 'module',
    types: './petstore.d.ts',
    exports: { '.': { types: './petstore.d.ts' }, './petstore.json': './petstore.json' },
    files: ['petstore.d.ts', 'petstore.json']
  }, null, 2) + '\n'
}
