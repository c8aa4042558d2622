import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.js'

/** Where the service under test listens, and a key of it that has no limit to speak of. */
export interface Target {
  port: number
  basePath: string
  key: string
}

/** What the service answered, and after how many milliseconds. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 })

/**
 * Sends a request without changing it. Each caller without a key comes from an address of its own, or the limit of one
 * address would soon refuse them all.
 */
export function send ({ port, basePath, key }: Target, { method, path, headers, body }: FuzzRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = {
      authorization: `Bearer ${key}`,
      ...length,
      ...headers,
      ...(headers.authorization === undefined ? {} : { 'x-forwarded-for': nextAddress() })
    }
    const call = request(
      { agent, host: '127.0.0.1', port, method, path: basePath + path, headers: sent, timeout: 10_000 },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          const pairs = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value): [string, string] => [name, value])
          )
          resolve({ status: response.statusCode!, headers: new Headers(pairs), text, ms: performance.now() - start })
        })
      }
    )
    call.on('timeout', () => call.destroy(new Error('no answer in 10 s')))
    call.on('error', reject)
    call.end(body)
  })
}

/** Closes the connections that were kept for further requests. */
export function hangUp (): void {
  agent.destroy()
}

let callers = 0

/** Gives an address that no request came from before. */
export function nextAddress (): string {
  callers++
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
}
