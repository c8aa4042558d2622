import { once } from 'node:events'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request, over a kept connection unless told otherwise. */
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

/** So many clients, each doing its work again and again until they are stopped; that tells of work that failed. */
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

/** How often each status came. */
export function tally (answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The time that so many of a hundred answers did not exceed, in whole milliseconds. */
export function percentile (answers: readonly { ms: number }[], percent: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  return Math.ceil(sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0)
}

/** Closes the kept connections. */
export function hangUp (): void {
  agent.destroy()
}
