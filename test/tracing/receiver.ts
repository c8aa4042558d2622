import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Lifetime } from '../../scripts/command/lifetime.js'

/** A span as OTLP has it in JSON, with its attributes by their names. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number; message?: string }
  attributes: Record<string, unknown>
}

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  endpoint: string
  /** What it answers. */
  status: number
  spans: ReceivedSpan[]
  /** All that has arrived, as text. */
  bodies: string[]
  /** The attributes of the process that sent it. */
  resource: Record<string, unknown>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

/** Starts a receiver of OTLP over HTTP, which keeps the spans that it is sent. */
export async function startReceiver (lifetime: Lifetime): Promise<Receiver> {
  const receiver: Receiver = { endpoint: '', status: 200, spans: [], bodies: [], resource: {} }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    receiver.bodies.push(body)
    if (request.url === '/v1/traces') take(receiver, JSON.parse(body))
    response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  lifetime.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

function take (receiver: Receiver, { resourceSpans }: any): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    Object.assign(receiver.resource, byName(resource.attributes))
    for (const { spans } of scopeSpans) {
      for (const span of spans) receiver.spans.push({ ...span, attributes: byName(span.attributes) })
    }
  }
}

function byName (attributes: Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
