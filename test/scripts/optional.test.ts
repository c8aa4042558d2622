import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { filesOf } from '../../scripts/generate/package.js'
import { read } from '../contract/books.js'

const folder = mkdtempSync(join(tmpdir(), 'petstore-generated-'))
t.teardown(() => rmSync(folder, { recursive: true }))
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const done = { 204: { description: 'Done.' } }
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const text = { type: 'string' }

/** A document with optional values wherever a caller can send them, and one that callers only read. */
const document = await read({
  info: { title: 'Books', version: '1.0.0' },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [
          ...['query', 'header'].map((place) => ({ name: 'x-sort', in: place, schema: text })),
          { name: 'shelf', in: 'query', style: 'deepObject', schema: object({ row: text }) }
        ],
        responses: { 200: { description: 'All.', content: { 'application/json': { schema: schema('Read') } } } }
      },
      post: {
        operationId: 'addBook',
        requestBody: { required: true, content: { 'application/json': { schema: schema('Book') } } },
        responses: done
      },
      put: {
        operationId: 'putBook',
        requestBody: { content: { 'application/vnd.book+json': { schema: object({ title: text }) } } },
        responses: done
      },
      patch: { operationId: 'changeBook', requestBody: { $ref: '#/components/requestBodies/Change' }, responses: done },
      delete: {
        operationId: 'burnBooks',
        requestBody: {
          content: { 'application/x-www-form-urlencoded': { schema: object({ title: text }) } }
        },
        responses: done
      }
    }
  },
  components: {
    requestBodies: { Change: { content: { 'application/json': { schema: schema('Change') } } } },
    schemas: {
      Book: object(
        { title: text, year: { type: 'integer' }, author: schema('Author'), parts: { type: 'array', items: schema('Book') } },
        ['title']
      ),
      Author: { allOf: [object({ name: text }, ['name']), object({ born: text })] },
      Change: { oneOf: [object({ title: text, note: text }, ['title']), { $ref: '#/components/schemas/Book/properties/author' }] },
      Read: object({ title: text })
    }
  }
})
const files = await filesOf(document)
for (const [name, content] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

/** What the compiler says of each call, under exactOptionalPropertyTypes. */
function faultsOf (calls: string[]): string[][] {
  const checks = calls.map((call, index) => {
    const check = join(folder, `check-${index}.ts`)
    writeFileSync(
      check,
      `
        import type { Read } from './index.js'
        import { createBooks } from './client.js'
        const client = createBooks({ baseUrl: '' })
        const read: Read = {}
        export const check = async () => ${call}
      `
    )
    return check
  })
  const program = ts.createProgram(checks, {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    module: ts.ModuleKind.Node16,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    noEmit: true
  })
  return checks.map((check) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(check))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  )
}

t.test('whatever a caller need not send may be undefined, in parameters and JSON bodies alike', async (t) => {
  const optional = [
    "client.GET('/books', { params: { query: { 'x-sort': undefined }, header: { 'x-sort': undefined } } })",
    "client.GET('/books', { params: { query: { shelf: { row: undefined } } } })",
    "client.POST('/books', { body: { title: 'Emma', year: undefined, author: undefined, parts: undefined } })",
    "client.POST('/books', { body: { title: 'Emma', author: { name: 'Jane', born: undefined } } })",
    "client.POST('/books', { body: { title: 'Emma', parts: [{ title: 'I', parts: [{ title: 'a', year: undefined }] }] } })",
    "client.PUT('/books', { body: { title: undefined } })",
    "client.PATCH('/books', { body: { title: 'Emma', note: undefined } })",
    "client.PATCH('/books', { body: { name: 'Jane', born: undefined } })"
  ]
  const others = [
    "client.POST('/books', { body: { title: undefined } })",
    "client.POST('/books', { body: { title: 'Emma', author: { name: undefined } } })",
    "client.DELETE('/books', { body: { title: undefined } })",
    'Object.assign(read, { title: undefined } satisfies Read)'
  ]
  const faults = faultsOf([...optional, ...others])
  for (const call of optional) t.same(faults.shift(), [], call)
  for (const call of others) {
    t.match(faults.shift(), [/'undefined' is not assignable|exactOptionalPropertyTypes/], `${call} does not compile`)
  }
})
