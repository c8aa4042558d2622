import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { readDocument } from '../../../src/contract/document/document.js'
import { answering, SCHEMA_POINTER, read, textOf } from '../books.js'

const OK = { responses: { 204: { description: 'Done.' } } }

t.test('a document is read from YAML and from JSON', async (t) => {
  const wanted = {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    paths: { '/books': { post: { operationId: 'addBook', ...OK } } }
  }
  const yaml = `
openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
paths:
  /books:
    post:
      operationId: addBook
      responses:
        '204':
          description: Done.
`
  t.same(await readDocument(yaml), wanted)
  for (const text of [
    JSON.stringify(wanted),
    JSON.stringify(wanted, null, '\t'),
    `\uFEFF${yaml}`,
    yaml.replaceAll('\n', '\r\n')
  ]) {
    t.same(await readDocument(text), wanted)
  }
})

t.test('YAML aliases are written out', async (t) => {
  const { components } = await readDocument(
    `${textOf({}).slice(0, -1)}, "components": { "schemas": { "Isbn": &isbn { type: string }, "Code": *isbn } } }`
  )
  t.same(components?.schemas, { Isbn: { type: 'string' }, Code: { type: 'string' } })
  t.not(components?.schemas?.Isbn, components?.schemas?.Code)
})

t.test('YAML merge keys are merged, and what a map says itself counts', async (t) => {
  const source = (key: string) => `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
x-headers: &headers { X-Id: { schema: { type: string } }, ETag: { schema: { type: string } } }
x-more: &more { ETag: { schema: { type: integer } }, Age: { schema: { type: integer } } }
components:
  responses:
    Done: { description: Done., headers: { ${key}: [*headers, *more], X-Id: { schema: { type: integer } } } }
  schemas:
    Book: { type: object, properties: { '<<': { type: string } } }
`
  const { components } = (await readDocument(source('<<'))) as { components: any }
  const typed = (type: string) => ({ schema: { type } })
  t.same(components.responses.Done.headers, { 'X-Id': typed('integer'), ETag: typed('string'), Age: typed('integer') })
  t.same(components.schemas.Book.properties, { '<<': { type: 'string' } }, 'a name in quotes is a name')
  await t.rejects(readDocument('openapi: 3.1.0\ninfo: { <<: 7 }'), {
    name: 'ContractError',
    message: /^The document is not valid YAML: .*[Mm]erge/
  })
})

t.test('a date in YAML stays the text that it is', async (t) => {
  t.same(
    (await readDocument('openapi: 3.1.0\ninfo: { title: Books, version: 1.0.0, x-since: 2025-12-05 }\npaths: {}')).info,
    { title: 'Books', version: '1.0.0', 'x-since': '2025-12-05' }
  )
})

t.test('a reference may lead through others, into itself from inside, and to a name that needs escaping', async (t) => {
  await t.resolves(
    read(
      answering(
        { $ref: '#/components/schemas/A' },
        {
          A: { $ref: '#/components/schemas/Book' },
          Book: {
            type: 'object',
            properties: {
              parts: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
              other: { $ref: '#/paths/~1books/get/responses/200/content/application~1json/schema' }
            }
          }
        }
      )
    )
  )
})

t.test('what is no usable document is refused, with the place', async (t) => {
  const version = 'The document is not an OpenAPI 3.0, 3.1 or 3.2 document: its openapi field must begin with 3.0, 3.1 or 3.2.'
  const refused: [title: string, text: string, message: string | RegExp][] = [
    ['bad YAML', 'openapi: 3.1.0\n  paths: {', /^The document is not valid YAML: .* at line 1, column 10\.$/],
    [
      'a key twice',
      'openapi: 3.1.0\nopenapi: 3.1.0',
      /^The document is not valid YAML: Map keys must be unique at line 2, column 1/
    ],
    ['two documents', `${textOf({})}\n---\n{}`, /^The document is not valid YAML: Source contains multiple documents/],
    [
      'an alias without its anchor',
      'openapi: *version',
      /^The document is not valid YAML: Unresolved alias .*: version\.$/
    ],
    [
      'an alias inside its anchor',
      'openapi: 3.1.0\npaths: &paths { a: *paths }',
      '#/paths/a: the YAML alias stands inside its own anchor.'
    ],
    [
      'a bomb of aliases',
      `a: &a [x, x]\n${[...'bcdefghijklmn'].map((name, index) => `${name}: &${name} [${`*${'abcdefghijklm'[index]},`.repeat(9)}]`).join('\n')}`,
      /^The document is not valid YAML: Excessive alias count/
    ],
    ['nothing', '', version],
    ['no map', 'books', version],
    ['no version', '{}', version],
    ['another format', '{"swagger":"2.0","info":{"title":"Books","version":"1"},"paths":{}}', version],
    ['2.0', textOf({}, '2.0.0'), version],
    ['3.3', textOf({}, '3.3.0'), version],
    ['half a version', textOf({}, '3.1'), version],
    ['a version that is a number', '{"openapi":3.1}', version],
    [
      'no info',
      '{"openapi":"3.1.0","paths":{}}',
      "# is not valid OpenAPI: the property 'info' is required."
    ],
    [
      'a keyword with a typo',
      textOf({ paths: { '/books': { get: { operationid: 'listBooks', ...OK } } } }),
      "#/paths/~1books/get is not valid OpenAPI: the property 'operationid' is not known."
    ],
    [
      'a parameter in no place',
      textOf({ paths: { '/books': { get: { parameters: [{ name: 'page', in: 'body', schema: {} }], ...OK } } } }),
      /^#\/paths\/~1books\/get\/parameters\/0\/in is not valid OpenAPI: the value must be one of: query, .*\.$/
    ],
    [
      'a response without a description',
      textOf({ paths: { '/books': { get: { responses: { 200: {} } } } } }, '3.0.3'),
      "#/paths/~1books/get/responses/200 is not valid OpenAPI: the property 'description' is required."
    ]
  ]
  const references: [title: string, schema: object, schemas: object, message: string][] = [
    [
      'nowhere',
      { $ref: '#/components/schemas/Nope' },
      {},
      `${SCHEMA_POINTER}: the reference #/components/schemas/Nope leads nowhere.`
    ],
    [
      'nowhere, over a prototype',
      { $ref: '#/components/schemas/toString' },
      {},
      `${SCHEMA_POINTER}: the reference #/components/schemas/toString leads nowhere.`
    ],
    [
      'nowhere, over a bare percent sign',
      { $ref: '#/components/schemas/%' },
      {},
      `${SCHEMA_POINTER}: the reference #/components/schemas/% leads nowhere.`
    ],
    [
      'nowhere, from a property',
      {},
      { Book: { properties: { isbn: { $ref: '#/components/Isbn' } } } },
      '#/components/schemas/Book/properties/isbn: the reference #/components/Isbn leads nowhere.'
    ],
    [
      'to itself',
      {},
      { Book: { $ref: '#/components/schemas/Book' } },
      '#/components/schemas/Book: the reference #/components/schemas/Book leads back to itself.'
    ],
    [
      'in a circle',
      {},
      { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
      '#/components/schemas/A: the reference #/components/schemas/B leads back to itself.'
    ],
    [
      'to itself for the same value',
      {},
      {
        A: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/B' }] },
        B: { allOf: [{ $ref: '#/components/schemas/A' }] }
      },
      '#/components/schemas/A: the schema refers to itself for the same value, which has no end.'
    ],
    ...['not', 'if', 'then', 'else', 'dependentSchemas'].map((keyword): [string, object, object, string] => {
      const back = { $ref: '#/components/schemas/A' }
      return [
        `to itself for the same value through ${keyword}`,
        {},
        { A: { [keyword]: keyword === 'dependentSchemas' ? { isbn: back } : back } },
        '#/components/schemas/A: the schema refers to itself for the same value, which has no end.'
      ]
    }),
    [
      'to itself for the same value, outside of the components',
      { allOf: [{ $ref: SCHEMA_POINTER }] },
      {},
      `${SCHEMA_POINTER}: the schema refers to itself for the same value, which has no end.`
    ],
    [
      'into an extension',
      { $ref: '#/components/schemas/Book/x-isbn' },
      { Book: { 'x-isbn': { type: 'text' } } },
      `${SCHEMA_POINTER}: the reference #/components/schemas/Book/x-isbn leads into an extension, an example or a list of values, which is not supported.`
    ],
    ['to a file', { $ref: 'books.yaml#/Book' }, {}, `${SCHEMA_POINTER}: the reference books.yaml#/Book leaves the document.`],
    [
      'to the web',
      { $ref: 'https://example.com/books.json' },
      {},
      `${SCHEMA_POINTER}: the reference https://example.com/books.json leaves the document.`
    ],
    ['to an anchor that is not there', { $ref: '#Book' }, {}, `${SCHEMA_POINTER}: the reference #Book leaves the document.`]
  ]
  const schemas: [title: string, schema: object, message: string][] = [
    [
      'a type that is none',
      { type: 'text' },
      `${SCHEMA_POINTER}/type is not valid JSON Schema: the value must be one of: array, boolean, integer, null, number, object, string.`
    ],
    [
      'bounds of 3.0 in 3.1',
      { minimum: 1, exclusiveMinimum: true },
      `${SCHEMA_POINTER}/exclusiveMinimum is not valid JSON Schema: the value must be a number.`
    ],
    [
      'a pattern that is none',
      { pattern: '(' },
      `${SCHEMA_POINTER}: the pattern ( is no regular expression of JavaScript (ECMA-262).`
    ],
    [
      'a pattern that would mean something else',
      { pattern: '\\Abook\\Z' },
      `${SCHEMA_POINTER}: the pattern \\Abook\\Z is no regular expression of JavaScript (ECMA-262).`
    ],
    [
      'a dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      `${SCHEMA_POINTER}: the schema dialect http://json-schema.org/draft-04/schema# is not supported; https://spec.openapis.org/oas/3.1/dialect/base and https://json-schema.org/draft/2020-12/schema are.`
    ]
  ]
  const page = {
    ...answering({ $ref: '#/components/parameters/Page' }),
    components: { parameters: { Page: { name: 'page', in: 'query', required: true, schema: {} } } }
  }
  for (const version of ['3.0.3', '3.1.0']) {
    refused.push([
      `a reference to what is no schema in ${version}`,
      textOf(page, version),
      '#/components/parameters/Page/required is not valid JSON Schema: the value must be an array.'
    ])
  }
  for (const [title, schema, message] of schemas) refused.push([title, textOf(answering(schema)), message])
  for (const [title, schema, schemas, message] of references) {
    refused.push([`a reference ${title}`, textOf(answering(schema, schemas)), message])
  }
  for (const [title, text, message] of refused) {
    const error = await readDocument(text).then(
      () => undefined,
      (error) => error
    )
    t.ok(error instanceof ContractError, `${title} is a ContractError`, { found: error })
    if (typeof message === 'string') t.equal(error?.message, message, title)
    else t.match(error?.message, message, title)
  }
})
