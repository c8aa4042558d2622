import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { filesOf } from '../../scripts/generate/package.js'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { read } from '../contract/books.js'

const folder = mkdtempSync(join(tmpdir(), 'petstore-generated-'))
t.teardown(() => rmSync(folder, { recursive: true }))
// So that the client finds openapi-fetch.
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))

const json = (schema: object) => ({ 'application/json': { schema } })
const answer = (schema?: object) => ({ description: 'Done.', ...(schema && { content: json(schema) }) })
const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A document with whatever is awkward to name or to type. */
const books = await read({
  info: { title: '  Books & Co. ', version: '1.2' },
  paths: {
    '/books': {
      get: {
        operationId: 'list-books',
        parameters: [
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['title', 'year'] } },
          { name: 'shelves', in: 'query', schema: { type: 'array', items: schema('Id') } },
          { name: 'X-Reader', in: 'header', required: true, schema: { type: 'string' } }
        ],
        responses: {
          200: answer(schema('ListBooksResponse')),
          '4XX': answer(schema('Error')),
          default: answer({ type: 'string' })
        }
      },
      put: {
        operationId: 'putBook',
        requestBody: { content: json(schema('book.v1')) },
        responses: { 200: answer({ type: 'integer', format: 'int64' }), 409: { description: 'Taken.' } }
      }
    },
    '/books/{bookId}': { $ref: '#/components/pathItems/Book' }
  },
  components: {
    parameters: { BookId: { name: 'bookId', in: 'path', required: true, schema: schema('Id') } },
    pathItems: {
      Book: {
        parameters: [{ $ref: '#/components/parameters/BookId' }],
        delete: {
          operationId: 'burnBook',
          deprecated: true,
          'x-deprecated-since': '2030-01-01',
          'x-deprecated-sunset': '2031-01-31',
          responses: { 204: answer() }
        }
      }
    },
    schemas: {
      Id: { type: 'integer', format: 'int64', description: 'A number' },
      Error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
      ListBooksResponse: { type: 'array', items: schema('book.v1') },
      'book.v1': {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string' },
          copies: { type: 'integer', default: 1 },
          shelf: schema('Id'),
          parts: schema('Parts'),
          genre: { type: ['string', 'null'], enum: ['novel', 'poem', null] }
        }
      },
      Parts: { anyOf: [{ type: 'string' }, { type: 'array', items: schema('Id') }] },
      '3d': { type: 'integer', enum: [-1, 3] }
    }
  }
})

function write (name: string, files: Iterable<[string, string]>): string {
  const place = join(folder, name)
  mkdirSync(place)
  for (const [file, text] of files) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    writeFileSync(join(place, file), text)
  }
  return place
}

/** A document with a list of several pages, one of a single page, and a call that is made once by its key. */
const library = await read({
  info: { title: 'Open Library API', version: '1.0.0' },
  paths: {
    '/loans': {
      get: {
        operationId: 'listLoans',
        parameters: ['cursor', 'reader'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
        responses: { 200: answer({ type: 'array', items: { type: 'object', properties: { id: schema('Id') } } }) }
      },
      post: {
        operationId: 'addLoan',
        parameters: [{ name: 'idempotency-key', in: 'header', schema: { type: 'string' } }],
        responses: { 204: answer() }
      },
      patch: { operationId: 'prolongLoans', responses: { 204: answer() } }
    },
    '/shelves': { get: { operationId: 'listShelves', responses: { 200: answer({ type: 'array' }) } } }
  },
  components: { schemas: { Id: { type: 'integer' } } }
})

t.test('the client of another document is called after it, and knows its lists and its keys', async (t) => {
  const place = write('library', await filesOf(library))
  const { createOpenLibrary, pages } = createRequire(join(place, 'x.js'))('./client.js')
  const sent: Request[] = []
  const fetch = async (request: Request) => {
    sent.push(request)
    return Response.json([{ id: sent.length }], sent.length === 1 ? { headers: { Link: '<?cursor=b>; rel="next"' } } : {})
  }
  const client = createOpenLibrary({ baseUrl: 'http://library.invalid/v1', fetch })
  const loans = []
  for await (const { id } of pages(client, '/loans', { params: { query: { reader: 'ada' } } })) loans.push(id)
  t.same(loans, [1, 2])
  await client.POST('/loans')
  await client.PATCH('/loans')
  t.same(
    sent.map(({ method, url, headers }) => [method, new URL(url).search, headers.has('Idempotency-Key')]),
    [
      ['GET', '?reader=ada', false],
      ['GET', '?reader=ada&cursor=b', false],
      ['POST', '', true],
      ['PATCH', '', false]
    ]
  )

  const check = join(place, 'check.ts')
  const faultsOf = (code: string): string[] => {
    writeFileSync(check, `
      import { createOpenLibrary, pages } from './client.js'
      const client = createOpenLibrary({ baseUrl: '' })
      export async function check () { ${code} }
    `)
    return ts
      .getPreEmitDiagnostics(
        ts.createProgram([check], {
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: false,
          module: ts.ModuleKind.Node16,
          target: ts.ScriptTarget.ES2022,
          lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
          types: [],
          noEmit: true
        })
      )
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  }
  t.same(faultsOf("for await (const { id } of pages(client, '/loans', { params: { query: { reader: 'ada' } } })) id?.toFixed()"), [])
  t.match(faultsOf("pages(client, '/shelves')"), [/"\/shelves"/], 'what has no pages')
  t.match(faultsOf("pages(client, '/loans', { params: { query: { author: 'ada' } } })"), [/author/], 'another parameter')
})

t.test('the package of another document has its names, types and values', async (t) => {
  const files = await filesOf(books)
  const place = write('books', files)
  const manifest = JSON.parse(files.get('package.json')!)
  t.equal(manifest.name, 'books-co-types')
  t.equal(manifest.version, '1.2.0', 'npm asks for three numbers')

  const values = {
    pathsBooksGetParametersQuerySortValues: ['title', 'year'],
    bookV1GenreValues: ['novel', 'poem'],
    _3dValues: [-1, 3]
  }
  t.same({ ...(await import(pathToFileURL(join(place, 'index.mjs')).href)) }, values)
  t.same(createRequire(join(place, 'x.js'))('./index.js'), values)

  const types: [type: string, same: string][] = [
    ['ListBooksQuery', "{ sort?: 'title' | 'year', shelves?: number[] }"],
    ['ListBooksHeader', "{ 'X-Reader': string }"],
    ['ListBooksResponse', 'BookV1[]'],
    ['ListBooksError', '{ code: string } | string'],
    ['PutBookBody', 'BookV1'],
    ['PutBookResponse', 'number'],
    ['BurnBookPath', '{ bookId: number }'],
    ['BurnBookResponse', 'undefined'],
    [
      'BookV1',
      "{ title: string, copies?: number, shelf?: number, parts?: string | number[], genre?: 'novel' | 'poem' | null }"
    ],
    ['Error', '{ code: string }'],
    ['ApiError', 'ListBooksError'],
    ['_3d', '-1 | 3']
  ]
  const check = join(place, 'check.ts')
  writeFileSync(
    check,
    `
    import type { ${types.map(([name]) => name).join(', ')} } from './index.js'
    type Flat<Type> = Type extends (infer Item)[]
      ? Flat<Item>[]
      : Type extends object ? { [Key in keyof Type]: Flat<Type[Key]> } : Type
    type Same<A, B> = (<Type>() => Type extends Flat<A> ? 1 : 2) extends (<Type>() => Type extends Flat<B> ? 1 : 2)
      ? true
      : { found: Flat<A> }
    ${types.map(([type, same], index) => `export const same${index}: Same<${type}, ${same}> = true`).join('\n')}
  `
  )
  const options = {
    strict: true,
    skipLibCheck: false,
    module: ts.ModuleKind.Node16,
    lib: ['lib.es2022.d.ts'],
    types: [],
    noEmit: true
  }
  const found = ts.getPreEmitDiagnostics(ts.createProgram([check, join(place, 'server.d.ts')], options))
  t.same(
    found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    []
  )
})

t.test('comments reach what stands behind a reference', async (t) => {
  const types = (await filesOf(books)).get('petstore.d.ts')!
  const above = (line: string) => types.slice(0, types.indexOf(line)).split('\n').slice(-8).join('\n')
  for (const line of ['bookId: ', 'shelves?: ', 'shelf?: ', 'parts?: ', 'Id: number', 'Parts: ']) {
    t.match(above(line), /Exact as a JavaScript number/, line)
  }
  for (const line of ['delete: operations["burnBook"]', 'burnBook: {']) {
    t.match(above(line), '@deprecated To be removed on 31 January 2031. */', line)
  }
})

t.test('a schema may hold itself', async (t) => {
  const files = await filesOf(
    await read({ components: { schemas: { Tree: { type: 'array', items: schema('Tree') } } } })
  )
  t.notMatch(files.get('petstore.d.ts'), /Exact/)
})

t.test('two things with one name are refused', async (t) => {
  const twins = { components: { schemas: { 'book.v1': { type: 'string' }, BookV1: { type: 'string' } } } }
  await t.rejects(
    filesOf(await read(twins)),
    new ContractError('Two things of the document would be called BookV1 in the package; rename one of them.')
  )
})
