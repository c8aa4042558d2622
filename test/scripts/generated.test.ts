import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import ts from 'typescript'
import { filesOf, generatedFrom } from '../../scripts/generate/package.js'
import { read } from '../contract/books.js'
import { source } from '../support/service.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'petstore-generated-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const probe = { file: join(root, 'generated/probe.ts'), text: '', version: 0 }
const editor = ts.createLanguageService({
  getScriptFileNames: () => [probe.file],
  getScriptVersion: (name) => (name === probe.file ? String(probe.version) : '0'),
  getScriptSnapshot: (name) =>
    ts.ScriptSnapshot.fromString(name === probe.file ? probe.text : readFileSync(name, 'utf8')),
  getCompilationSettings: () => ({ lib: ['lib.es5.d.ts'], types: [] }),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile
})

/** What an editor shows at the last name of a type, in a file beside the package. */
function hover (type: string): string {
  probe.version++
  probe.text = `import type { ${/^\w+/.exec(type)![0]} } from './index.js'\nexport type Probe = ${type}`
  const { documentation, tags = [] } = editor.getQuickInfoAtPosition(probe.file, /\W*$/.exec(probe.text)!.index - 1)!
  return [
    ts.displayPartsToString(documentation),
    ...tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
  ].join('\n')
}

t.test('generated/ is what the document makes of it, and nothing else', async (t) => {
  const files = await generatedFrom(source)
  t.same(readdirSync(join(root, 'generated')).sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.ok(readFileSync(join(root, 'generated', name), 'utf8') === text, name)
})

t.test('the check names what is stale, missing and foreign, and mends nothing', async (t) => {
  const copy = join(folder, 'copy')
  for (const name of ['generated', 'openapi', 'scripts', 'src', 'LICENSE', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const generated = join(copy, 'generated')
  writeFileSync(join(generated, 'index.js'), 'exports.petStatusValues = []\n')
  writeFileSync(join(generated, 'index.ts'), '')
  rmSync(join(generated, 'README.md'))
  const check = promisify(execFile)(join(root, 'node_modules/.bin/tsx'), ['scripts/generate.ts', '--check'], {
    cwd: copy
  })
  const { code, stderr } = await check.then(
    () => t.fail('it passes'),
    (error) => error
  )
  t.equal(code, 1)
  t.match(stderr, 'generated/ holds what was not generated: index.ts\n')
  t.match(stderr, 'Stale: generated/index.js, generated/README.md. Run: npm run generate\n')
  t.notOk(readdirSync(generated).includes('README.md'))
})

t.test('an editor shows the descriptions', async (t) => {
  t.match(hover('Pet'), 'An animal of the store.')
  t.match(hover('NewPet["name"]'), "The animal's name.")
  t.match(hover('ListPetsQuery["status"]'), 'Filter by availability status.')
  t.match(hover('operations["listPets"]'), 'List animals')
  t.match(hover('CreatePetBody'), 'The request body of `createPet` (POST /pets).')
})

t.test(
  'an editor strikes a deprecated operation through, and tells when it goes and what to call instead',
  async (t) => {
    for (const type of [
      'paths["/pets/{petId}"]["get"]',
      'operations["getPet"]',
      'GetPetPath',
      'GetPetResponse',
      'GetPetError'
    ]) {
      t.match(hover(type), '@deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.', type)
    }
    for (const type of ['paths["/pets"]["get"]', 'operations["listPets"]', 'ListPetsResponse', 'Pet']) {
      t.notMatch(hover(type), '@deprecated', type)
    }
  }
)

t.test('an editor tells at each int64 how far a number is exact', async (t) => {
  for (const type of ['Pet["id"]', 'Pet["categoryId"]', 'NewPet["categoryId"]', 'GetPetPath["petId"]']) {
    t.match(hover(type), /Exact as a JavaScript number only from -9007199254740991 to 9007199254740991\./, type)
  }
  t.notMatch(hover('ListPetsQuery["limit"]'), /Exact/)
})

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
  for (const [file, text] of files) writeFileSync(join(place, file), text)
  return place
}

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
    type Flat<Type> = Type extends (infer Item)[] ? Flat<Item>[] : Type extends object ? { [Key in keyof Type]: Flat<Type[Key]> } : Type
    type Same<A, B> = (<Type>() => Type extends Flat<A> ? 1 : 2) extends (<Type>() => Type extends Flat<B> ? 1 : 2) ? true : { found: Flat<A> }
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
    new Error('Two things of the document would be called BookV1 in the package; rename one of them.')
  )
})
