import { breakingChanges } from '../../../scripts/compatibility/document.js'
import type { Document } from '../../../src/contract/document/openapi.js'
import { read } from '../../contract/books.js'

/** Content in JSON, in a response or a body. */
export const json = (schema: object) => ({ content: { 'application/json': { schema } } })
/** A reference to a schema. */
export const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A released document with much that a change may break. */
export const released = await read({
  servers: [{ url: '/{version}', variables: { version: { default: 'v1' } } }],
  security: [{ reader: [] }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'genre', in: 'query', schema: to('Genre') },
          { name: 'tag', in: 'query', schema: { type: 'array', maxItems: 5, items: { type: 'string' } } },
          { name: 'X-Reader', in: 'header', schema: { type: 'string' } }
        ],
        responses: {
          200: {
            description: 'Books.',
            headers: { Link: { schema: { type: 'string' } }, 'X-Total': { $ref: '#/components/headers/Total' } },
            ...json({ type: 'array', items: to('Book') })
          },
          400: { $ref: '#/components/responses/Error' },
          404: { $ref: '#/components/responses/Error' }
        }
      },
      post: {
        operationId: 'addBook',
        requestBody: { required: true, ...json(to('NewBook')) },
        responses: {
          201: { description: 'Added.', ...json(to('Book')) },
          default: { $ref: '#/components/responses/Error' }
        }
      }
    },
    '/books/{bookId}': {
      parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: {
        operationId: 'getBook',
        deprecated: true,
        'x-deprecated-since': '2026-01-01',
        'x-deprecated-sunset': '2027-01-01',
        security: [{ reader: [] }, { badge: ['books:read'] }],
        responses: { 200: { description: 'The book.', ...json(to('Book')) } }
      },
      put: {
        operationId: 'noteBook',
        'x-stability': 'beta',
        requestBody: json({ type: ['string', 'null'] }),
        responses: { 204: { description: 'Noted.' } }
      },
      delete: { operationId: 'burnBook', 'x-stability': 'experimental', responses: { 204: { description: 'Burnt.' } } }
    },
    '/health': {
      get: {
        operationId: 'isOpen',
        security: [],
        responses: {
          200: {
            description: 'Open.',
            ...json({ type: 'object', additionalProperties: false, properties: { open: { type: 'boolean' } } })
          }
        }
      }
    }
  },
  components: {
    securitySchemes: {
      reader: { type: 'http', scheme: 'bearer' },
      badge: { type: 'apiKey', in: 'header', name: 'X-Badge' },
      other: { type: 'http', scheme: 'Bearer' }
    },
    headers: { Total: { required: true, schema: { type: 'integer', minimum: 0 } } },
    responses: { Error: { description: 'An error.', ...json(to('Error')) } },
    schemas: {
      Genre: { type: 'string', enum: ['novel', 'poem'] },
      NewBook: {
        type: 'object',
        required: ['title'],
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 100 },
          genre: to('Genre'),
          pages: { type: 'integer' },
          price: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
          isbn: { type: ['string', 'null'] },
          tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
          names: { type: 'object', additionalProperties: { type: 'string' } },
          binding: {
            anyOf: [
              { type: 'string', format: 'uuid' },
              { type: 'object', properties: { colour: { type: 'string' } } }
            ]
          }
        }
      },
      Book: {
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          title: { type: 'string' },
          genre: to('Genre'),
          pages: { type: 'integer', format: 'int32', minimum: 1 },
          addedAt: { allOf: [{ type: 'string' }, { format: 'date-time' }] },
          sequel: to('Book'),
          loan: { oneOf: [to('Loan'), { type: 'null' }] },
          names: { type: 'object', additionalProperties: { type: 'string' } }
        }
      },
      Loan: {
        type: 'object',
        required: ['reader'],
        properties: { reader: { type: 'string' }, until: { type: 'string', format: 'date' } }
      },
      Error: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', description: 'More values may come.' }, message: { type: 'string' } }
      }
    }
  }
})

const TODAY = new Date('2026-06-01T00:00:00Z')

/** A change of a document, in place. */
export type Edit = (document: any) => unknown

/** A change, and what of it breaks clients. */
export type Breaking = [title: string, edit: Edit, sentences: string[]]

/** A change that breaks nobody. */
export type Harmless = [title: string, edit: Edit]

export const listBooks = (document: any) => document.paths['/books'].get
export const addBook = (document: any) => document.paths['/books'].post
export const oneBook = (document: any) => document.paths['/books/{bookId}']
export const schemas = (document: any) => document.components.schemas
/** The properties of a book that is sent. */
export const sent = (document: any) => schemas(document).NewBook.properties
/** The properties of a book that is answered. */
export const given = (document: any) => schemas(document).Book.properties
export const parameter = (document: any, name: string) =>
  listBooks(document).parameters.find((one: any) => one.name === name)
/** A list without the parameters of these names. */
export const without = (list: any[], ...names: unknown[]) =>
  list.filter((one) => !names.includes(one) && !names.includes(one.name))

/** A sentence for each operation that answers with a book; `$` stands for the status. */
export const ofEveryBook = (rest: string) => [
  `listBooks: Property '[].${rest}`.replace('$', '200'),
  `addBook: Property '${rest}`.replace('$', '201'),
  `getBook: Property '${rest}`.replace('$', '200')
]

/** Says what breaks clients of a document after an edit. */
export function after (edit: Edit, document: Document = released, today = TODAY): string[] {
  const changed = structuredClone(document)
  edit(changed)
  return breakingChanges(document, changed, today)
}
