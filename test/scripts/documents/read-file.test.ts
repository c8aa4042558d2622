import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readDocumentFile } from '../../../scripts/documents/read-file.js'
import { serveSamples } from '../../../scripts/documents/serve.js'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { withOperationIds } from '../../../src/contract/operation/operation-id.js'

const HEAD = 'openapi: 3.1.0\ninfo: { title: Books, version: 1.0.0 }\n'

/** Reads `api/openapi.yaml` of a folder with these files. */
function readFrom (t: Test, files: Record<string, string>, openapi: string) {
  const folder = t.testdir({ api: { ...files, 'openapi.yaml': HEAD + openapi }, 'beside.yaml': 'type: string' })
  return { folder, document: () => readDocumentFile(join(folder, 'api/openapi.yaml')) }
}

t.test('files below the folder of a document become part of it, and so do those that they refer to', async (t) => {
  const book = `type: object
required: [kind]
properties:
  kind: { type: string }
  next: { $ref: 'openapi.yaml#/components/schemas/Book' }
  genre: { $ref: 'genres.json#/Genre' }
`
  const { document } = readFrom(
    t,
    {
      'books.yaml': `get:
  parameters: [{ $ref: 'openapi.yaml#/components/parameters/Limit' }]
  responses:
    '200': { description: Books., content: { application/json: { schema: { $ref: 'openapi.yaml#/components/schemas/Any' } } } }
`,
      'book.yaml': book,
      'novel.yaml': "$id: 'https://example.com/novel'\nallOf: [{ $ref: './book.yaml' }, { $ref: '#/$defs/plot' }]\n" +
        '$defs: { plot: { required: [plot], properties: { plot: { type: string } } } }\n',
      'genres.json': '{ "Genre": { "type": "string", "enum": ["novel"] } }'
    },
    `paths:
  /books: { $ref: books.yaml }
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
  schemas:
    Book: { $ref: './book.yaml' }
    Any:
      oneOf: [{ $ref: './novel.yaml' }, { $ref: './book.yaml' }]
      discriminator: { propertyName: kind, mapping: { story: './novel.yaml' } }
      example: { kind: story, plot: a, next: { kind: book, genre: novel } }
`
  )
  const { app, operations } = await serveSamples(withOperationIds(await document()))
  t.teardown(() => app.close())
  t.same(operations.map(({ operationId }) => operationId), ['getBooks'])
  t.same((await app.inject('/books')).json(), { kind: 'story', plot: 'a', next: { kind: 'book', genre: 'novel' } })
  t.equal((await app.inject('/books?limit=x')).statusCode, 400)
})

t.test('nothing is read beside that folder or from the network', async (t) => {
  const server = await import('node:http').then((http) => http.createServer((_, response) => response.end('{}')))
  let calls = 0
  server.on('request', () => calls++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const outside = 'the file does not lie below the folder of the document'
  for (const [reference, reason] of [
    ['../beside.yaml', outside],
    ['deeper/../../beside.yaml', outside],
    ['/etc/hostname', outside],
    ['link.yaml', outside],
    [`http://127.0.0.1:${port}/book.yaml`, 'nothing is read from a URL'],
    [`http://127.0.0.1:${port}/book.yaml#/Book`, 'nothing is read from a URL'],
    ['file:///etc/hostname', 'nothing is read from a URL'],
    ['nowhere.yaml', 'there is no such file'],
    ['folder', 'it is no file'],
    ['bad.yaml', /^The document is not valid YAML/]
  ] as const) {
    const { folder, document } = readFrom(
      t,
      { 'bad.yaml': 'a: {', folder: {} as string },
      `components: { schemas: { Book: { properties: { a: { $ref: '${reference}' } } } } }`
    )
    symlinkSync('../beside.yaml', join(folder, 'api/link.yaml'))
    const error = await document().then(() => undefined, (error) => error)
    t.ok(error instanceof ContractError, reference)
    const place = `#/components/schemas/Book/properties/a: the reference ${reference} leads nowhere: `
    t.equal(error.message.slice(0, place.length), place)
    t.match(error.message.slice(place.length), reason, reference)
  }
  t.equal(calls, 0)
})

t.test('a reference to what a file does not have is refused, one in an example is data', async (t) => {
  const files = { 'books.yaml': 'Book: { type: string }' }
  const missing = readFrom(t, files, "components: { schemas: { Book: { $ref: 'books.yaml#/Poem' } } }")
  await t.rejects(
    missing.document(),
    new ContractError('#/components/schemas/Book: the reference books.yaml#/Poem leads nowhere.')
  )
  const shown = readFrom(
    t,
    files,
    `components:
  schemas:
    Book: { $ref: 'books.yaml#/Book' }
    Shown: { example: { $ref: 'nowhere.yaml' } }
  examples: { Elsewhere: { externalValue: 'http://127.0.0.1:9/book.json' } }
`
  )
  t.match((await shown.document()).components?.schemas, { Shown: { example: { $ref: 'nowhere.yaml' } } })
})
