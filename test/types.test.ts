import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { serverTypesOf } from '../scripts/generate/types.js'
import { buildApp } from '../src/app.js'
import { ContractError } from '../src/contract/document/contract-error.js'
import { readDocument } from '../src/contract/document/document.js'
import { openStorage } from '../src/storage/open.js'
import { read } from './contract/books.js'
import { TestClock } from './support/clock.js'
import { source } from './support/service.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noUnusedLocals: false }, root)
const parsed = new Map<string, ts.SourceFile | undefined>()

/**
 * What the compiler says about files of the repository, when some files were as given: `src/operations/pets.ts:
 * Property …`.
 */
function compile (files: string | string[], given: Record<string, string>): string[] {
  const texts = new Map(Object.entries(given).map(([name, text]) => [join(root, name), text]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.readFile = (name) => texts.get(name) ?? readFile(name)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = texts.get(name)
    if (text !== undefined) return ts.createSourceFile(name, text, languageVersion)
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, languageVersion, ...rest))
    return parsed.get(name)
  }
  const program = ts.createProgram([files].flat().map((file) => join(root, file)), options, host)
  // Those that are as they are in the repository are checked by the first test, and need not be checked again.
  const checked = texts.size === 0 ? [undefined] : program.getSourceFiles().filter(isAffected)
  return checked
    .flatMap((file) => ts.getPreEmitDiagnostics(program, file))
    .map(
      (found) =>
        `${found.file?.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`
    )

  function isAffected ({ fileName }: ts.SourceFile): boolean {
    return texts.has(fileName) || fileName.startsWith(join(root, 'src/operations/'))
  }
}

/** The document with one more operation, which has no handler. */
const GROWN = source.replace(
  '\ncomponents:\n',
  `
  /pets/{petId}/grooming:
    delete:
      operationId: removeGrooming
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses: { '204': { description: Removed. } }

components:
`
)

const HANDLERS = 'src/operations/index.ts'
const TYPES = 'generated/server.d.ts'

/** src/operations/index.ts with other handlers for the first three operations. */
const withHandlers = (handlers: string) => `
import type { operations } from '../../generated/server.js'
import type { HandlersOf } from '../contract/response/handler.js'
import { petHandlers, type PetDependencies } from './pets.js'
import { storeHandlers, type StoreDependencies } from './store.js'
export type Handlers = HandlersOf<operations>
export type Dependencies = PetDependencies & StoreDependencies
export function handlersOf (dependencies: Dependencies): Handlers {
  const { listPets, createPet, getPet, ...others } = { ...petHandlers(dependencies), ...storeHandlers(dependencies) }
  return ${handlers.replace(/ }$/, ', ...others }')}
}
`

t.test('the handlers of the service fit its document', async (t) => {
  t.same(compile(HANDLERS, {}), [])
  t.same(
    compile(HANDLERS, {
      [TYPES]: await serverTypesOf(await readDocument(source)),
      [HANDLERS]: withHandlers('{ listPets, createPet, getPet }')
    }),
    []
  )
})

t.test('an operation without a handler does not compile, and the message names it', async (t) => {
  const [message, ...others] = compile(HANDLERS, { [TYPES]: await serverTypesOf(await readDocument(GROWN)) })
  t.match(message, /^src\/operations\/index\.ts: Property 'removeGrooming' is missing in type /)
  t.same(others, [])
  t.same(
    compile(HANDLERS, {
      [TYPES]: await serverTypesOf(await readDocument(GROWN)),
      [HANDLERS]: withHandlers('{ listPets, createPet, getPet, removeGrooming: () => undefined }')
    }),
    []
  )
})

t.test('an operation without a handler does not start, and the message names it', async (t) => {
  const storage = await openStorage(`sqlite:${join(t.testdir(), 'petstore.db')}`, { owner: true })
  t.teardown(() => storage.close())
  const start = buildApp({
    document: await readDocument(GROWN),
    source: GROWN,
    types: '',
    repositories: storage.repositories,
    clock: new TestClock(),
    lifecycle: { draining: false },
    ping: storage.ping,
    degraded: storage.degraded,
    logger: false,
    settings: {
      corsOrigin: '*',
      docs: true,
      enforceSunset: false,
      experimental: true,
      keepAliveTimeout: 5_000,
      maxConnections: 100,
      trustProxy: []
    }
  })
  await t.rejects(
    start,
    new ContractError('The operation removeGrooming (#/paths/~1pets~1%7BpetId%7D~1grooming/delete) has no handler.')
  )
})

t.test('a handler that does not fit its operation does not compile', async (t) => {
  const wanted: [title: string, handlers: string, message: RegExp][] = [
    ['missing', '{ listPets, createPet }', /Property 'getPet' is missing/],
    ['extra', '{ listPets, createPet, getPet, burnPet: () => undefined }', /'burnPet' does not exist in type/],
    ['renamed', '{ listPets, createPet, fetchPet: getPet }', /'fetchPet' does not exist in type/],
    ['no function', "{ listPets, createPet, getPet: 'later' }", /Type 'string' is not assignable to type 'Handler</],
    [
      'answering a wrong type',
      "{ listPets, createPet, getPet: () => ({ id: 'one', name: 'Rex', categoryId: 1 }) }",
      /Type 'string' is not assignable to type 'number \| bigint'/
    ],
    [
      'answering too little',
      "{ listPets, createPet, getPet: () => ({ id: 1, name: 'Rex' }) }",
      /Property 'categoryId' is missing/
    ],
    ['answering nothing', '{ listPets, createPet, getPet: async () => {} }', /Type 'Promise<void>' is not assignable/],
    [
      'answering a value that is not allowed',
      "{ listPets, createPet, getPet: () => ({ id: 1, name: 'Rex', categoryId: 1, status: 'lost' }) }",
      /Type '"lost"' is not assignable/
    ],
    [
      'reading a body that is of another type',
      '{ listPets, createPet: ({ body }) => ({ id: 1, ...body, name: body.name.toFixed() }), getPet }',
      /Property 'toFixed' does not exist on type 'string'/
    ],
    [
      'reading a parameter that is not declared',
      '{ listPets: ({ query }) => [query.page], createPet, getPet }',
      /Property 'page' does not exist on type/
    ]
  ]
  for (const [title, handlers, message] of wanted) {
    const [first, ...others] = compile(HANDLERS, { [HANDLERS]: withHandlers(handlers) })
    t.match(first, message, title)
    t.match(first, /^src\/operations\/index\.ts: /, title)
    t.same(others, [], title)
  }
})

t.test('a property with a default need not be sent by callers, and is always there for handlers', async (t) => {
  const check = 'src/operations/check.ts'
  const order = (types: string, code: string) =>
    compile(check, {
      [check]: `import type { components } from '../../generated/${types}.js'\ntype NewOrder = components['schemas']['NewOrder']\n${code}`
    })
  t.same(order('petstore', 'export const order: NewOrder = { petId: 1 }'), [])
  t.same(order('server', 'export const quantityOf = ({ quantity }: NewOrder): number => quantity'), [])
  t.match(order('petstore', 'export const quantityOf = ({ quantity }: NewOrder): number => quantity'), [
    /'undefined' is not assignable to type 'number'/
  ])
})

t.test('the types of a handler are those of the document', async (t) => {
  const json = (schema: object) => ({ 'application/json': { schema } })
  const answer = { description: 'Done.' }
  const document = await read({
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
            { name: 'page', in: 'query', schema: { $ref: '#/components/schemas/Page' } },
            { name: 'genre', in: 'query', schema: { type: 'string', enum: ['novel', 'poem'] } },
            { name: 'sort', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'X-Reader', in: 'header', required: true, schema: { type: 'string' } },
            { name: 'X-Draft', in: 'header', schema: { type: 'boolean' } }
          ],
          responses: {
            206: { ...answer, content: json({ type: 'array', items: { $ref: '#/components/schemas/Book' } }) },
            404: { ...answer, content: json({ type: 'string' }) },
            default: { ...answer, content: json({ type: 'boolean' }) }
          }
        },
        post: {
          operationId: 'addBook',
          requestBody: { required: true, content: json({ $ref: '#/components/schemas/Book' }) },
          responses: { 201: { ...answer, content: json({ $ref: '#/components/schemas/Book' }) } }
        }
      },
      '/books/{bookId}': {
        parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
        put: { operationId: 'lendBook', requestBody: { content: json({ type: 'string' }) }, responses: { 204: answer } }
      }
    },
    components: {
      schemas: {
        Page: { type: 'integer', default: 1 },
        Book: {
          type: 'object',
          required: ['id', 'title'],
          properties: {
            id: { type: 'integer', format: 'int64' },
            title: { type: 'string' },
            shelf: { type: ['integer', 'null'], format: 'int64' }
          }
        }
      }
    }
  })
  const book = '{ id: number | bigint, title: string, shelf?: number | bigint | null }'
  const wanted: [title: string, type: string, same: string][] = [
    [
      'a parameter with a default is always there, one that is required too',
      "Request<'listBooks'>['query']",
      "{ limit: number, page: number, genre?: 'novel' | 'poem', sort: string }"
    ],
    [
      'headers have the names that Node gives them',
      "Request<'listBooks'>['headers']",
      "{ 'x-reader': string, 'x-draft'?: boolean }"
    ],
    [
      'no parameters are no properties',
      "keyof Request<'listBooks'>['params'] | keyof Request<'addBook'>['query'] | keyof Request<'addBook'>['headers']",
      'never'
    ],
    ['an int64 is a number or a bigint', "Request<'lendBook'>['params']", '{ bookId: number | bigint }'],
    ['a body', "Request<'addBook'>['body']", book],
    ['a body that is not required may be undefined', "Request<'lendBook'>['body']", 'string | undefined'],
    ['no body is undefined', "Request<'listBooks'>['body']", 'undefined'],
    [
      'an answer is the body of the 2xx, alone or with headers',
      "OperationResult<operations['listBooks']>",
      `${book}[] | Answer<${book}[], 206 | undefined, 'application/json' | undefined>`
    ],
    [
      'an answer without a body is nothing',
      "OperationResult<operations['lendBook']>",
      'void | undefined | Answer<undefined, 204 | undefined>'
    ],
    ['the handlers are one for each operation', 'keyof HandlersOf<operations>', "'listBooks' | 'addBook' | 'lendBook'"]
  ]
  const types = await serverTypesOf(document)
  const cases: typeof wanted = [...wanted, ['', "Request<'lendBook'>['body']", 'string']]
  const fileOf = (index: number) => `src/contract/response/check-${index}.ts`
  const files = cases.map(([, type, same], index): [file: string, text: string] => [
    fileOf(index),
    `
import type { operations } from '../../../generated/server.js'
import type { Answer } from './answer.js'
import type { HandlersOf, OperationRequest, OperationResult } from './handler.js'
type Flat<Type> = Type extends (infer Item)[] ? Flat<Item>[] : Type extends Answer<infer Body, infer Status, infer Media> ? { answer: Flat<Body>, status: Status, type: Media } : Type extends object ? { [Key in keyof Type]: Flat<Type[Key]> } : Type
type Same<A, B> = (<Type>() => Type extends Flat<A> ? 1 : 2) extends (<Type>() => Type extends Flat<B> ? 1 : 2) ? 'same' : { found: Flat<A> }
export type Request<Id extends keyof operations> = OperationRequest<operations[Id]>
export type All = [HandlersOf<operations>, OperationResult<operations['addBook']>]
export const same: Same<${type}, ${same}> = 'same'
`
  ])
  const found = compile(files.map(([file]) => file), { [TYPES]: types, ...Object.fromEntries(files) })
  const faultsOf = (index: number) => found.filter((fault) => fault.startsWith(`${fileOf(index)}:`))
  for (const [index, [title]] of wanted.entries()) t.same(faultsOf(index), [], title)
  t.not(faultsOf(wanted.length).length, 0, 'the comparison tells a difference')
  t.same(found.filter((fault) => !fault.startsWith('src/contract/response/check-')), [])
})
