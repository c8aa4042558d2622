import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { basePathOf } from '../../../src/contract/document/servers.js'
import { readDocument } from '../../../src/contract/document/document.js'
import { read, serve, textOf } from '../books.js'

const OK = { responses: { 204: { description: 'Done.' } } }

/** A document whose one answer has the schema. */
const answering = (schema: object, schemas: object = {}) => ({
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        responses: { 200: { description: 'Books.', content: { 'application/json': { schema } } } }
      }
    }
  },
  components: { schemas }
})
const PLACE = '#/paths/~1books/get/responses/200/content/application~1json/schema'

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

t.test('a date in YAML stays the text that it is', async (t) => {
  t.same(
    (await readDocument('openapi: 3.1.0\ninfo: { title: Books, version: 1.0.0, x-since: 2025-12-05 }\npaths: {}')).info,
    { title: 'Books', version: '1.0.0', 'x-since': '2025-12-05' }
  )
})

t.test('the schemas of 3.0 come in the words of 3.1', async (t) => {
  const wanted: [title: string, given: object, schema: object][] = [
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'nullable with an enum',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] }
    ],
    [
      'nullable with an enum that has null',
      { type: 'string', nullable: true, enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] }
    ],
    ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }],
    [
      'exclusive bounds',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 }
    ],
    [
      'bounds that are not exclusive',
      { type: 'number', minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: false },
      { type: 'number', minimum: 1, maximum: 9 }
    ],
    [
      'what stands beside a $ref',
      { $ref: '#/components/schemas/Isbn', description: 'ignored' },
      { $ref: '#/components/schemas/Isbn' }
    ],
    [
      'deep inside',
      { type: 'array', items: { allOf: [{ type: 'string', nullable: true }] } },
      { type: 'array', items: { allOf: [{ type: ['string', 'null'] }] } }
    ],
    [
      'a property that is called as a keyword',
      {
        type: 'object',
        properties: { nullable: { type: 'string', nullable: true }, example: { type: 'string', nullable: true } }
      },
      { type: 'object', properties: { nullable: { type: ['string', 'null'] }, example: { type: ['string', 'null'] } } }
    ],
    [
      'data',
      { type: 'object', default: { nullable: true, type: 'x' }, example: { nullable: true, type: 'x' } },
      { type: 'object', default: { nullable: true, type: 'x' }, example: { nullable: true, type: 'x' } }
    ]
  ]
  for (const [title, given, schema] of wanted) {
    const { components } = await read(
      answering({ $ref: '#/components/schemas/Given' }, { Given: given, Isbn: { type: 'string' } }),
      '3.0.3'
    )
    t.same(components?.schemas?.Given, schema, title)
  }
})

t.test('a response or schema of 3.0 that is called default is read too', async (t) => {
  const content = { 'application/json': { schema: { type: 'string', nullable: true } } }
  const { paths, components } = await read(
    {
      paths: {
        '/books': {
          get: {
            operationId: 'listBooks',
            responses: { 204: { description: 'None.' }, default: { description: 'Else.', content } }
          }
        }
      },
      components: { schemas: { default: { type: 'string', nullable: true } } }
    },
    '3.0.0'
  )
  t.same(paths?.['/books']?.get?.responses?.default?.content, {
    'application/json': { schema: { type: ['string', 'null'] } }
  })
  t.same(components?.schemas?.default, { type: ['string', 'null'] })
})

t.test('in 3.1 what stands beside a $ref counts, and nullable means nothing', async (t) => {
  const schema = { $ref: '#/components/schemas/Isbn', maxLength: 13 }
  const { components } = await read(answering({}, { Given: schema, Isbn: { type: 'string', nullable: true } }))
  t.same(components?.schemas, { Given: schema, Isbn: { type: 'string', nullable: true } })
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

t.test('an $id, an $anchor and a $dynamicRef are led through to JSON pointers', async (t) => {
  const { components } = await read(
    answering(
      { $ref: 'https://books.example/book#part' },
      {
        Book: {
          $id: 'https://books.example/book',
          $anchor: 'book',
          properties: { title: { $ref: '#/$defs/title' }, next: { $ref: '#book' }, shelf: { $ref: '/shelf' } },
          $defs: { title: { type: 'string' }, part: { $anchor: 'part', type: 'integer' } }
        },
        Shelf: {
          $id: 'https://books.example/shelf',
          $dynamicAnchor: 'node',
          type: 'array',
          items: { $dynamicRef: '#node' }
        },
        Odd: {
          type: 'object',
          properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
          example: { $ref: 'x', $id: 'y' }
        }
      }
    )
  )
  t.same(components?.schemas, {
    Book: {
      properties: {
        title: { $ref: '#/components/schemas/Book/$defs/title' },
        next: { $ref: '#/components/schemas/Book' },
        shelf: { $ref: '#/components/schemas/Shelf' }
      },
      $defs: { title: { type: 'string' }, part: { type: 'integer' } }
    },
    Shelf: { type: 'array', items: { $ref: '#/components/schemas/Shelf' } },
    Odd: {
      type: 'object',
      properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
      example: { $ref: 'x', $id: 'y' }
    }
  })
  await t.rejects(
    read(
      answering({}, { A: { $dynamicAnchor: 'node' }, B: { $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } } })
    ),
    new ContractError(
      '#/components/schemas/B/items: the $dynamicRef #node may lead to #/components/schemas/A or #/components/schemas/B, which is not supported.'
    )
  )
})

t.test('nullable beside a composition is that or null', async (t) => {
  const parts = { allOf: [{ $ref: '#/components/schemas/Isbn' }] }
  const { components } = await read(
    answering(
      {},
      {
        Isbn: { type: 'string' },
        All: { nullable: true, ...parts, default: null },
        Typed: { type: 'string', nullable: true, ...parts },
        Any: { nullable: true, enum: ['a'] }
      }
    ),
    '3.0.3'
  )
  t.same(components?.schemas, {
    Isbn: { type: 'string' },
    All: { anyOf: [{ type: 'null' }, parts], default: null },
    Typed: { anyOf: [{ type: 'null' }, { type: 'string', ...parts }] },
    Any: { enum: ['a', null] }
  })
})

t.test('what is no usable document is refused, with the place', async (t) => {
  const version = 'The document is not an OpenAPI 3.0 or 3.1 document: its openapi field must begin with 3.0 or 3.1.'
  const invalid = 'The document is not valid OpenAPI: '
  const refused: [title: string, text: string, message: string | RegExp][] = [
    ['bad YAML', 'openapi: 3.1.0\n  paths: {', /^The document is not valid YAML: .* at line 1, column 10/],
    [
      'a key twice',
      'openapi: 3.1.0\nopenapi: 3.1.0',
      /^The document is not valid YAML: Map keys must be unique at line 2, column 1/
    ],
    ['two documents', `${textOf({})}\n---\n{}`, /^The document is not valid YAML: Source contains multiple documents/],
    [
      'an alias without its anchor',
      'openapi: *version',
      /^The document is not valid YAML: Unresolved alias .*: version$/
    ],
    [
      'an alias inside its anchor',
      'openapi: 3.1.0\npaths: &paths { a: *paths }',
      /^The document is not valid YAML: .*circular/
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
    ['3.2', textOf({}, '3.2.0'), version],
    ['half a version', textOf({}, '3.1'), version],
    ['a version that is a number', '{"openapi":3.1}', version],
    [
      'no info',
      '{"openapi":"3.1.0","paths":{}}',
      `${invalid}the root must have required property 'info' {"missingProperty":"info"}`
    ],
    [
      'a keyword with a typo',
      textOf({ paths: { '/books': { get: { operationid: 'listBooks', ...OK } } } }),
      /^The document is not valid OpenAPI: \/paths\/~1books\/get .*"operationid"/
    ],
    [
      'a parameter in no place',
      textOf({ paths: { '/books': { get: { parameters: [{ name: 'page', in: 'body', schema: {} }], ...OK } } } }),
      /^The document is not valid OpenAPI: \/paths\/~1books\/get\/parameters\/0/
    ],
    [
      'a response without a description',
      textOf({ paths: { '/books': { get: { responses: { 200: {} } } } } }, '3.0.3'),
      /^The document is not valid OpenAPI: \/paths\/~1books\/get\/responses\/200 must have required property 'description'/
    ]
  ]
  const references: [title: string, schema: object, schemas: object, message: string][] = [
    [
      'nowhere',
      { $ref: '#/components/schemas/Nope' },
      {},
      `${PLACE}: the reference #/components/schemas/Nope leads nowhere.`
    ],
    [
      'nowhere, over a prototype',
      { $ref: '#/components/schemas/toString' },
      {},
      `${PLACE}: the reference #/components/schemas/toString leads nowhere.`
    ],
    [
      'nowhere, over a bare percent sign',
      { $ref: '#/components/schemas/%' },
      {},
      `${PLACE}: the reference #/components/schemas/% leads nowhere.`
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
      { allOf: [{ $ref: PLACE }] },
      {},
      `${PLACE}: the schema refers to itself for the same value, which has no end.`
    ],
    [
      'into an extension',
      { $ref: '#/components/schemas/Book/x-isbn' },
      { Book: { 'x-isbn': { type: 'text' } } },
      `${PLACE}: the reference #/components/schemas/Book/x-isbn leads into an extension, an example or a list of values, which is not supported.`
    ],
    ['to a file', { $ref: 'books.yaml#/Book' }, {}, `${PLACE}: the reference books.yaml#/Book leaves the document.`],
    [
      'to the web',
      { $ref: 'https://example.com/books.json' },
      {},
      `${PLACE}: the reference https://example.com/books.json leaves the document.`
    ],
    ['to an anchor that is not there', { $ref: '#Book' }, {}, `${PLACE}: the reference #Book leaves the document.`]
  ]
  const schemas: [title: string, schema: object, message: string][] = [
    [
      'a type that is none',
      { type: 'text' },
      `${PLACE}/type: the schema is not valid, it must be equal to one of the allowed values {"allowedValues":["array","boolean","integer","null","number","object","string"]}.`
    ],
    [
      'bounds of 3.0 in 3.1',
      { minimum: 1, exclusiveMinimum: true },
      `${PLACE}/exclusiveMinimum: the schema is not valid, it must be number {"type":"number"}.`
    ],
    [
      'a pattern that is none',
      { pattern: '(' },
      `${PLACE}: the pattern ( is no regular expression of JavaScript (ECMA-262).`
    ],
    [
      'a pattern that would mean something else',
      { pattern: '\\Abook\\Z' },
      `${PLACE}: the pattern \\Abook\\Z is no regular expression of JavaScript (ECMA-262).`
    ],
    [
      'a dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      `${PLACE}: the schema dialect http://json-schema.org/draft-04/schema# is not supported; https://spec.openapis.org/oas/3.1/dialect/base and https://json-schema.org/draft/2020-12/schema are.`
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
      '#/components/parameters/Page/required: the schema is not valid, it must be array {"type":"array"}.'
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

t.test('the base path is the path of the first server', async (t) => {
  const base: [servers: object[] | undefined, path: string | RegExp][] = [
    [undefined, ''],
    [[], ''],
    [[{ url: '/' }], ''],
    [[{ url: '/v1' }], '/v1'],
    [[{ url: '/v1/' }], '/v1'],
    [[{ url: 'https://books.example/api/v1' }], '/api/v1'],
    [[{ url: 'https://books.example/v1' }, { url: 'https://staging.books.example:8443/v1/' }, { url: '/v1' }], '/v1'],
    [
      [
        {
          url: 'https://{host}/{stage}',
          variables: { host: { default: 'books.example' }, stage: { default: 'v2', enum: ['v2', 'v3'] } }
        }
      ],
      '/v2'
    ],
    [[{ url: '{root}/v1', variables: { root: { default: 'https://books.example' } } }], '/v1']
  ]
  for (const [servers, path] of base) {
    t.equal(basePathOf(await read(servers ? { servers } : {})), path, JSON.stringify(servers))
  }

  t.equal(basePathOf(await read({ servers: [{ url: '/v1' }, { url: '/v2' }] })), '/v1', 'other servers are others')
  for (const url of ['https://', '/%zz']) {
    const broken = await read({ servers: [{ url }] })
    t.throws(() => basePathOf(broken), new ContractError(`#/servers/0: '${url}' is not a URL.`))
  }
})

t.test('where paths or operations have servers of their own, the base path is what all have in common', async (t) => {
  const operation = (operationId: string, more: object = {}) => ({
    operationId,
    responses: { 204: { description: 'Done.' } },
    ...more
  })
  const document = await read({
    servers: [{ url: 'https://books.example/api/v1' }],
    paths: {
      '/books': {
        get: operation('list'),
        put: operation('upload', { servers: [{ url: 'https://upload.books.example/api/upload/v1' }] })
      },
      '/shelves': { servers: [{ url: '/api/v2' }], get: operation('shelves') }
    }
  })
  t.equal(basePathOf(document), '/api')
  const { call } = await serve(t, document, {
    list: () => undefined,
    upload: () => undefined,
    shelves: () => undefined
  })
  // The harness serves at the root what an app would serve under the base path.
  for (const [method, path, status] of [
    ['GET', '/v1/books', 204],
    ['PUT', '/upload/v1/books', 204],
    ['GET', '/v2/shelves', 204],
    ['PUT', '/v1/books', 405],
    ['GET', '/v1/shelves', 404]
  ] as const) {
    t.equal((await call(method, path)).status, status, `${method} ${path}`)
  }
})
