import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dataset, Recorded } from '../load/dataset.js'

/** The constant answer of each operation, as the script that started this program has written them to a file. */
export const answers = JSON.parse(readFileSync(process.env.BENCH_ANSWERS!, 'utf8')) as Dataset['answers']

/** Headers that Node writes by itself. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** All headers that the service has sent, but those that Node writes by itself. */
export function allHeadersOf ({ headers }: Recorded): string[] {
  return headers.filter((_, index) => !BY_NODE.has(headers[index - (index % 2)]!.toLowerCase()))
}

/** The headers that a body needs. */
export function leastHeadersOf ({ body }: Recorded): string[] {
  return ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))]
}

/** Tells the script where this program listens, and ends it with that script. */
export function ready (server: Server): void {
  server.keepAliveTimeout = 72_000
  console.error(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  process.stdin.resume().on('end', () => process.exit())
}
