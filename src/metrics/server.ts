import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

/** How long a request for the metrics may take to arrive, in milliseconds. */
const PATIENCE = 5_000

/** Makes the server of the metrics, which answers GET and HEAD of `/metrics` and nothing else. */
export function metricsServer (registry: Registry): Server {
  return createServer({ requestTimeout: PATIENCE, headersTimeout: PATIENCE }, (request, response) => {
    answer(registry, request, response).catch((error: Error) => refuse(response, 500, error.message))
  })
}

async function answer (registry: Registry, { method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url.split('?', 1)[0] !== '/metrics') return refuse(response, 404, 'The metrics are at /metrics.')
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return refuse(response, 405, 'The metrics can only be read.')
  }
  const text = await registry.metrics()
  response.writeHead(200, { 'content-type': registry.contentType, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function refuse (response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}
