import { once } from 'node:events'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

/** What a server answered, and after how many milliseconds. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
}

/** The options of a key whose limits no test reaches. */
export const UNLIMITED = { plan: 'enterprise', perMinute: 10_000_000, perDay: 10_000_000 } as const

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends one request, over a connection that is kept for others unless told otherwise, and reads the whole answer. */
export async function send (
  url: string,
  {
    method = 'GET',
    key,
    body,
    headers = {},
    keep = true
  }: { method?: string; key?: string; body?: unknown; headers?: Record<string, string>; keep?: boolean } = {}
): Promise<Answer> {
  const started = performance.now()
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const sent = request(url, {
    agent: keep && agent,
    method,
    headers: {
      ...headers,
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {})
    }
  })
  sent.end(payload)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, headers: response.headers, text, ms: performance.now() - started }
}

/**
 * Starts clients that each do their work again and again. `stop` waits until they have ended, and throws when work of
 * one of them failed.
 */
export function clients (count: number, work: (client: number) => Promise<void>): { stop: () => Promise<void> } {
  const end = new AbortController()
  const running = Promise.all(
    Array.from({ length: count }, async (_, client) => {
      while (!end.signal.aborted) await work(client)
    })
  )
  running.catch(() => {})
  return {
    async stop () {
      end.abort()
      await running
    }
  }
}

/** Counts how often each status came. */
export function tally (answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Finds the time that `percent` of the answers did not exceed, in whole milliseconds. */
export function percentile (answers: readonly { ms: number }[], percent: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  return Math.ceil(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0)
}

/** Closes the connections that were kept for further requests. */
export function hangUp (): void {
  agent.destroy()
}
