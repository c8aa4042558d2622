import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Test } from 'tap'
import { readDocument } from '../../src/contract/document/document.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { registerRoutes, type ContractOptions } from '../../src/contract/routes.js'

export interface Received {
  params: any
  query: any
  headers: any
  body: any
}
export interface Reply {
  status: number
  headers: Headers
  text: string
  json: any
}

const info = { title: 'Books', version: '1.0.0' }

/** The text of a document about books, in JSON. */
export function textOf (parts: object, openapi = '3.1.0'): string {
  return jsonTextOf({ openapi, info, paths: {}, ...parts })
}

export function read (parts: object, openapi?: string): Promise<Document> {
  return readDocument(textOf(parts, openapi))
}

/** A document with one operation, PUT /books, that takes and answers a value of `schema`. */
export function echoing (schema: object, schemas: object = {}, openapi?: string): Promise<Document> {
  const content = { 'application/json': { schema } }
  const putBook = {
    operationId: 'putBook',
    requestBody: { required: true, content },
    responses: { 200: { description: 'The same.', content } }
  }
  return read({ paths: { '/books': { put: putBook } }, components: { schemas } }, openapi)
}

/** Serves a document over HTTP until the test ends; `received` is what the last handler got. */
export async function serve (
  t: Test,
  document: Document,
  handlers: Record<string, (request: Received) => unknown>,
  securitySchemes: ContractOptions['securitySchemes'] = {},
  maxParamLength = 100
) {
  const lines: string[] = []
  const app = fastify({
    bodyLimit: 16 * 1024,
    routerOptions: { maxParamLength },
    logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } }
  })
  const seen: Received[] = []
  const recording = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (request: Received) => {
        seen.push(request)
        return handle(request)
      }
    ])
  )
  registerRoutes(app, { document, operations: operationsOf(document), handlers: recording, securitySchemes })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const call = async (
    method: string,
    path: string,
    raw?: string | Uint8Array,
    headers: Record<string, string> = {}
  ): Promise<Reply> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(raw === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(raw === undefined ? {} : { body: raw })
    })
    const text = await response.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {}
    return { status: response.status, headers: response.headers, text, json }
  }
  const log = (): { level: number }[] => lines.map((line) => JSON.parse(line))
  return { port, call, seen, log, received: () => seen.at(-1)! }
}

/** Serves {@link echoing}: every body that is taken comes back. */
export async function echo (t: Test, schema: object, schemas?: object) {
  const service = await serve(t, await echoing(schema, schemas), { putBook: ({ body }) => body })
  return { ...service, put: (raw: string | Uint8Array) => service.call('PUT', '/books', raw) }
}

/** The responses of an operation that answers nothing. */
export const DONE = { 204: { description: 'Done.' } }

/** The schema of a book. */
export const BOOK = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string' },
    pages: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    shelf: { type: 'object', properties: { row: { type: 'integer' } }, additionalProperties: false },
    cover: { type: 'string', format: 'binary', maxLength: 4 },
    id: { type: 'integer', format: 'int64' }
  }
}

/** Serves PUT /books, which takes a body of the content and answers 204. */
export async function taking (
  t: Test,
  content: object,
  { required = true, method = 'put', openapi = '3.1.0' } = {}
) {
  const document = await read(
    {
      paths: { '/books': { [method]: { operationId: 'putBook', requestBody: { required, content }, responses: DONE } } }
    },
    openapi
  )
  return serve(t, document, { putBook: () => undefined })
}

/** A document whose one answer has the schema. */
export const answering = (schema: object, schemas: object = {}) => ({
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

/** The pointer to the schema of {@link answering}. */
export const SCHEMA_POINTER = '#/paths/~1books/get/responses/200/content/application~1json/schema'

/** A parameter as a document declares it. */
export interface Parameter {
  name: string
  in: string
  schema?: object
  style?: string
  explode?: boolean
  content?: object
  required?: boolean
  allowEmptyValue?: boolean
}

/** Serves GET on a path with the parameters; it answers 204. */
export async function serveParameters (
  t: Test,
  parameters: Parameter[],
  path = '/books',
  maxParamLength = 100
) {
  const document = await read({
    paths: {
      [path]: {
        get: {
          operationId: 'getBook',
          parameters: parameters.map((one) => (one.in === 'path' ? { ...one, required: true } : one)),
          responses: { 204: { description: 'Done.' } }
        }
      }
    }
  })
  return serve(t, document, { getBook: () => undefined }, {}, maxParamLength)
}
