import t from 'tap'
import { filesOf } from '../../scripts/generate/package.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { DONE, read, serve } from './books.js'

const PET = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const post = (operation: object) => ({ post: { operationId: 'addBook', responses: DONE, ...operation } })
const document = (item: object, more: object = {}) => read({ paths: { '/books': item }, ...more }, '3.2.0')

t.test('what OpenAPI 3.2 shares with 3.1 is served, and what no request touches', async (t) => {
  const books = await document(
    post({
      requestBody: { required: true, content: { 'application/json': { $ref: '#/components/mediaTypes/Book' } } },
      responses: { 200: { summary: 'Lines.', content: { 'application/jsonl': { itemSchema: PET } } }, 204: {} }
    }),
    {
      $self: 'https://example.com/books.yaml',
      jsonSchemaDialect: 'https://spec.openapis.org/oas/3.2/dialect/2026-02-26',
      servers: [{ url: '/', name: 'here' }],
      tags: [{ name: 'Books', kind: 'nav', summary: 'All books' }, { name: 'Old', parent: 'Books' }],
      components: {
        mediaTypes: { Book: { $ref: '#/components/mediaTypes/Pet' }, Pet: { schema: PET } },
        securitySchemes: {
          device: {
            type: 'oauth2',
            deprecated: true,
            flows: { deviceAuthorization: { deviceAuthorizationUrl: '/d', tokenUrl: '/t', scopes: {} } }
          }
        }
      }
    }
  )
  const { call } = await serve(t, books, { addBook: () => ({ status: 204 }) }, undefined)
  t.match(await call('POST', '/books', '{"n":"1"}'), { status: 400, json: { message: /'n' must be an integer/ } })
  t.match(await call('POST', '/books', '{}'), { status: 400, json: { message: /'n' is required/ } })
  t.match((await filesOf(books)).get('petstore.d.ts'), /n: number;/)
})

const BODY = '#/paths/~1books/post/requestBody/content/multipart~1mixed'
const mixed = (media: object) => post({ requestBody: { content: { 'multipart/mixed': media } } })
const query = (schema: object) => post({ parameters: [{ name: 'q', in: 'query', schema }] })
const REFUSED: [item: object, message: string][] = [
  [{ query: { operationId: 'findBooks', responses: DONE } },
    '#/paths/~1books/query: operations of the methods of OpenAPI 3.2 are not supported.'],
  [{ additionalOperations: { COPY: { operationId: 'copyBook', responses: DONE } } },
    '#/paths/~1books/additionalOperations: operations of the methods of OpenAPI 3.2 are not supported.'],
  [post({ parameters: [{ name: 'q', in: 'querystring', content: { 'application/json': {} } }] }),
    "#/paths/~1books/post/parameters/0: the parameter 'q' is in the querystring, which is not supported."],
  [post({ parameters: [{ name: 'q', in: 'cookie', style: 'cookie', schema: {} }] }),
    "#/paths/~1books/post/parameters/0: the parameter 'q' is in the cookie and has the style cookie, which is not supported."],
  [mixed({ itemSchema: {} }), `${BODY}: the itemSchema of a request body is not supported.`],
  [mixed({ prefixEncoding: [{}] }), `${BODY}: the prefixEncoding of a request body is not supported.`],
  [mixed({ itemEncoding: {} }), `${BODY}: the itemEncoding of a request body is not supported.`],
  [mixed({ encoding: { a: { itemEncoding: {} } } }), `${BODY}: the itemEncoding of a request body is not supported.`],
  [mixed({ encoding: { a: { encoding: {} } } }), `${BODY}: the encoding of a request body is not supported.`],
  [query({ oneOf: [], discriminator: { propertyName: 'a', defaultMapping: 'B' } }),
    '#/paths/~1books/post/parameters/0/schema/discriminator/defaultMapping: the defaultMapping of a schema is not supported.'],
  [query({ xml: { nodeType: 'text' } }),
    '#/paths/~1books/post/parameters/0/schema/xml/nodeType: the nodeType of a schema is not supported.']
]

t.test('what is new in OpenAPI 3.2 and touches requests is refused by name, with its place', async (t) => {
  for (const [item, message] of REFUSED) {
    await t.rejects(document(item).then(operationsOf), { name: 'ContractError', message }, message)
  }
})
