import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, transform, type Format } from 'esbuild'
import ts from 'typescript'
import type { Document } from '../../src/contract/document/openapi.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { MEDIA_TYPE, operationsOf, type Operation } from '../../src/contract/operation/operation.js'

/** The most bytes that the client may add to a page, minified and compressed by gzip. */
export const CLIENT_LIMIT = 3 * 1_024

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const MODULES = new URL('client/', import.meta.url)

/** Gives the name of the function that makes a client: `createPetstore` for the document of the Petstore API. */
export function clientNameOf ({ info }: Document): string {
  const words = info.title.replace(/\s*\bAPI\s*$/i, '').match(/[A-Za-z0-9]+/g) ?? ['Client']
  return `create${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

/**
 * Makes the files of the client of a document: its code for both module systems, in one file each, and its types. What
 * is the same for every document stands in the modules in client/; what the document says is which operations have an
 * Idempotency-Key, and which are lists.
 */
export async function clientFilesOf (document: Document): Promise<[name: string, text: string][]> {
  const source = sourceOf(document)
  const names = (await readdir(MODULES)).sort()
  const modules = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      `client/${name}`,
      await readFile(new URL(name, MODULES), 'utf8')
    ])
  )
  return [
    ['client.mjs', await bundle(source, 'esm')],
    ['client.js', await bundle(source, 'cjs')],
    ...[['client.ts', source] as const, ...modules].flatMap(([name, text]) => declarationsOf(name, text))
  ]
}

/** Counts the bytes that the code of a client adds to a page, minified and compressed by gzip. */
export async function clientSizeOf (code: string): Promise<number> {
  return gzipSync((await transform(code, { minify: true, format: 'esm' })).code).length
}

async function bundle (contents: string, format: Format): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'ts', sourcefile: 'client.ts', resolveDir: FOLDER },
    absWorkingDir: FOLDER,
    bundle: true,
    packages: 'external',
    // For any other, process.env.NODE_ENV would be replaced, which is the caller's.
    platform: 'neutral',
    format,
    target: 'es2022',
    write: false
  })
  return outputFiles[0]!.text
}

/** The declarations of a module for both module systems: the types of openapi-fetch differ between them. */
function declarationsOf (name: string, source: string): [name: string, text: string][] {
  const text = ts.transpileDeclaration(source, {}).outputText
  const esm = text.replace(/(?<=from '\.\/)(?!petstore)(.+)\.js'/g, "$1.mjs'")
  return [
    [name.replace(/ts$/, 'd.ts'), text],
    [name.replace(/ts$/, 'd.mts'), esm]
  ]
}

/** The module that a caller imports: what is of this document, around what is the same for all. */
function sourceOf (document: Document): string {
  const operations = operationsOf(document)
  const schemas = new Schemas(document)
  const lists = operations.filter((operation) => isList(schemas, operation))
  const keyed = operations.filter(takesIdempotencyKey)
  const empty = operations.filter(maySucceedWithoutBody)
  const { title } = document.info
  return `import createClient, { type Client, type FetchOptions } from 'openapi-fetch'
import { itemsOf } from './client/items.js'
import { middlewareOf, optionsOf, type Options } from './client/middleware.js'
import { withTypedResults, type ConditionalClient } from './client/results.js'
import type { operations, paths } from './petstore.js'

export { deprecationOf, type Deprecation } from './client/deprecation.js'
export { faultsOf } from './client/faults.js'
export { ResponseError } from './client/items.js'
export { limitsOf, type Limits, type LimitWindow } from './client/limits.js'
export { nextCursor } from './client/links.js'
export type { Options } from './client/middleware.js'
export type { ConditionalClient } from './client/results.js'
export type { Retry, Wait } from './client/retry.js'

/** The calls that are done once, however often they are sent, by their Idempotency-Key. */
const KEYED_CALLS: ReadonlySet<string> = new Set(${jsonOf(keyed.map(callOf))})

/** The calls that may succeed without a body. */
const EMPTY_CALLS: ReadonlySet<string> = new Set(${jsonOf(empty.map(callOf))})

/** The operation and the items of each list, by its path. */
export interface Lists {
${lists.map((operation) => `  ${jsonOf(operation.path)}: ${listTypeOf(operation)}`).join('\n')}
}

/**
 * Makes a client of the ${title}: that of openapi-fetch, which also sends the API key, waits and tries again as the
 * limits say, and sends each call that makes something with an Idempotency-Key, so that it is done once.
 * @throws {TypeError} when no header can carry the key
 */
export function ${clientNameOf(document)} (options: Options): ConditionalClient<paths> {
  const client = createClient<paths>(optionsOf(options))
  client.use(middlewareOf(options, KEYED_CALLS))
  return withTypedResults(client, EMPTY_CALLS)
}

/**
 * Gives the items of a list one after the other, over all its pages: \`for await (const item of pages(…))\`. A page is
 * read when its first item is asked for. It throws a {@link ResponseError} when a page is answered with an error.
 */
export function pages<Path extends keyof Lists> (
  client: Client<paths>,
  path: Path,
  options?: FetchOptions<Lists[Path]['operation']>
): AsyncGenerator<Lists[Path]['item'], void, undefined> {
  const { params, ...others } = (options ?? {}) as { params?: { query?: { cursor?: string } } }
  const get = client.GET as (path: string, options: object) => Promise<{ data?: Lists[Path]['item'][]; response: Response }>
  return itemsOf((cursor = params?.query?.cursor) =>
    get(path, { ...others, params: { ...params, query: { ...params?.query, cursor } } })
  )
}
`
}

/** Whether an operation gives a list a page at a time, of which the parameter \`cursor\` chooses one. */
function isList (schemas: Schemas, { method, parameters, responses, success }: Operation): boolean {
  const hasCursor = parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'cursor')
  const { schema = {} } = responses.get(String(success))?.content?.[MEDIA_TYPE] ?? {}
  return method === 'get' && hasCursor && schemas.types(schema).includes('array')
}

function takesIdempotencyKey ({ parameters }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key')
}

function maySucceedWithoutBody ({ responses }: Operation): boolean {
  return [...responses].some(([status, { content }]) => status.startsWith('2') && !content)
}

function listTypeOf ({ operationId, success }: Operation): string {
  const operation = `operations[${jsonOf(operationId)}]`
  const body = `${operation}['responses'][${success}]['content'][${jsonOf(MEDIA_TYPE)}]`
  return `{ operation: ${operation}; item: ${body}[number] }`
}

function callOf ({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

function jsonOf (value: unknown): string {
  return JSON.stringify(value)
}
