import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Test } from 'tap'
import { readDocument } from '../../src/contract/document/document.js'
import type { Document } from '../../src/contract/document/openapi.js'
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
  return JSON.stringify({ openapi, info, paths: {}, ...parts })
}

export function read (parts: object, openapi?: string): Promise<Document> {
  return readDocument(textOf(parts, openapi))
}

/** A document with one operation, PUT /books, that takes and answers a value of `schema`. */
export function echoing (schema: object, schemas: object = {}): Promise<Document> {
  const content = { 'application/json': { schema } }
  return read({
    paths: {
      '/books': {
        put: {
          operationId: 'putBook',
          requestBody: { required: true, content },
          responses: { 200: { description: 'The same.', content } }
        }
      }
    },
    components: { schemas }
  })
}

/** Serves a document over HTTP until the test ends; `received` is what the last handler got. */
export async function serve (
  t: Test,
  document: Document,
  handlers: Record<string, (request: Received) => unknown>,
  securitySchemes: ContractOptions['securitySchemes'] = {},
  maxParamLength = 100
) {
  const app = fastify({ bodyLimit: 16 * 1024, routerOptions: { maxParamLength } })
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
  return { port, call, seen, received: () => seen.at(-1)! }
}

/** Serves {@link echoing}: every body that is taken comes back. */
export async function echo (t: Test, schema: object, schemas?: object) {
  const service = await serve(t, await echoing(schema, schemas), { putBook: ({ body }) => body })
  return { ...service, put: (raw: string | Uint8Array) => service.call('PUT', '/books', raw) }
}
