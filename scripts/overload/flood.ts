// Floods a port of this machine, and prints what came back as JSON. It is a process of its own, so that its load delays
// nobody who measures.
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type Connection } from '../bench/load/connection.js'

/** What to send, and how long; the argument of this program as JSON. */
export interface FloodOptions {
  port: number
  key: string
  connections: number
  seconds: number
  /** Pets that there are. */
  pets: number
}

/** What came back. */
export interface Flooded {
  /** How often each status came, and `failed`, how many connections ended otherwise. */
  statuses: Record<string, number>
  failed: number
  /** The times of what was served, in milliseconds. */
  p50: number
  p99: number
  max: number
}

/** A status that nobody is told of by a fault: of the service, of its limits, or of too much to do. */
const SERVED = new Set([200, 201])
const EXPECTED = new Set([...SERVED, 503])

async function flood ({ port, key, connections, seconds, pets }: FloodOptions): Promise<Flooded> {
  const statuses: Record<string, number> = {}
  const latencies = createHistogram()
  const open = new Set<Connection>()
  let failed = 0
  let isOver = false
  const start = (): void => {
    let status = 0
    const next = () => ({
      request: requestFor(key, pets),
      isRight (given: number) {
        status = given
        return EXPECTED.has(given)
      }
    })
    const connection = exchange(port, {
      next: () => (isOver ? undefined : next()),
      answered (milliseconds) {
        statuses[status] = (statuses[status] ?? 0) + 1
        if (SERVED.has(status)) latencies.record(Math.max(1, Math.round(milliseconds * 1000)))
      },
      failed: () => {
        if (!isOver) failed++
      }
    })
    open.add(connection)
    connection.ended.then(() => {
      open.delete(connection)
      // A refusal may end its connection; the load stays the same.
      if (!isOver) start()
    })
  }
  for (let count = 0; count < connections; count++) start()
  await sleep(seconds * 1000)
  isOver = true
  for (const connection of open) connection.cut()
  const [p50, p99] = [50, 99].map((percent) => latencies.percentile(percent) / 1000) as [number, number]
  return { statuses, failed, p50, p99, max: latencies.max / 1000 }
}

function requestFor (key: string, pets: number): string {
  const chance = Math.random()
  const head = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  if (chance < 0.8) return `GET /v1/pets?limit=20 HTTP/1.1\r\n${head}\r\n`
  if (chance < 0.95) return `GET /v1/pets/${1 + Math.floor(Math.random() * pets)} HTTP/1.1\r\n${head}\r\n`
  const body = '{"name":"Rex","categoryId":1}'
  const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /v1/pets HTTP/1.1\r\n${head}${fields}\r\n${body}`
}

console.log(JSON.stringify(await flood(JSON.parse(process.argv[2]!) as FloodOptions)))
process.exit()
