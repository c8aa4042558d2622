import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { proofOf } from '../../src/cli/document.js'
import { checkDefaults } from '../../src/contract/default-check.js'
import { readDocument } from '../../src/contract/document/document.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { clientFilesOf } from './client.js'
import { entryOf } from './entry.js'
import { manualOf } from './manual.js'
import { callerTypesOf, NOTICE, serverTypesOf } from './types.js'

/**
 * Makes the text of every file of generated/ from the text of the document: those of {@link filesOf}, and the proof
 * that the document was checked, by which the program starts without checking it again.
 * @throws {ContractError} when the document cannot be used
 */
export async function generatedFrom (source: string): Promise<Map<string, string>> {
  const document = await readDocument(source)
  checkDefaults(document, operationsOf(document))
  const files = await filesOf(document)
  return files.set('openapi.sha256', proofOf(source, files.get('petstore.json')!))
}

/**
 * Makes the text of every file that comes of a document alone: those of the package that callers install, and the types
 * of the handlers, which stay out of it.
 */
export async function filesOf (document: Document): Promise<Map<string, string>> {
  const manifest = manifestOf(document, await readText('package.json'))
  const entry = await entryOf(document)
  const moduleOf = (module: ts.ModuleKind) =>
    ts.transpileModule(entry.source, { compilerOptions: { module, target: ts.ScriptTarget.ES2022 } }).outputText
  const code = {
    'index.d.mts': "export * from './index.js'\n",
    'index.d.ts': ts.transpileDeclaration(entry.source, {}).outputText,
    'index.js': moduleOf(ts.ModuleKind.CommonJS),
    'index.mjs': moduleOf(ts.ModuleKind.ESNext),
    'petstore.d.ts': await callerTypesOf(document),
    'server.d.ts': await serverTypesOf(document),
    ...Object.fromEntries(await clientFilesOf(document))
  }
  return new Map([
    ...Object.entries(code).map(([name, text]): [string, string] => [name, `${NOTICE}\n\n${text}`]),
    ['LICENSE', await readText('LICENSE')],
    ['README.md', manualOf(document, manifest, entry)],
    ['package.json', jsonOf(manifest)],
    ['petstore.json', `${jsonTextOf(document, 2)}\n`]
  ])
}

function readText (name: string): Promise<string> {
  return readFile(new URL(`../../${name}`, import.meta.url), 'utf8')
}

function manifestOf ({ info }: Document, ownManifest: string) {
  const { devDependencies } = JSON.parse(ownManifest) as { devDependencies: Record<string, string> }
  return {
    name: [...(info.title.toLowerCase().match(/[a-z0-9]+/g) ?? []), 'types'].join('-'),
    version: versionOf(info.version),
    description: `Types, enum values, client and document of the ${info.title}, made from its OpenAPI document.`,
    license: info.license?.identifier,
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    exports: {
      '.': entryAt('index'),
      './client': entryAt('client'),
      './petstore.json': './petstore.json',
      './package.json': './package.json'
    },
    files: ['client', 'client.*', 'index.*', 'petstore.*'],
    // Only the client needs it, so that nobody has to install it for the types.
    peerDependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] },
    peerDependenciesMeta: { 'openapi-fetch': { optional: true } }
  }
}

function entryAt (name: string) {
  return {
    import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
    require: { types: `./${name}.d.ts`, default: `./${name}.js` }
  }
}

/** The version as npm wants it, which is with three numbers: `1.0` is `1.0.0`. */
function versionOf (version: string): string {
  if (/^\d+\.\d+\.\d+(-|\+|$)/.test(version)) return version
  return [...(version.match(/\d+/g) ?? []).map(Number), 0, 0, 0].slice(0, 3).join('.')
}

function jsonOf (value: object): string {
  return JSON.stringify(value, null, 2) + '\n'
}
