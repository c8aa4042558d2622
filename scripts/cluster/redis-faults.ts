import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import { clients, percentile, send, tally, UNLIMITED, type Answer } from './load.js'
import { tell } from './redis.js'

/** The ways in which Redis is taken away. */
export const REDIS_FAULTS = ['killed', 'frozen', 'full', 'flushed'] as const

/** What clients saw of a Redis that was killed, frozen, out of memory or flushed while they used up their limits. */
export interface RedisFigures {
  answers: Answer[]
  /** The limit of each key, and the most that any of them was admitted. */
  limit: number
  most: number
  /** What /readyz said while Redis was away. */
  readiness: string[]
  /** Milliseconds from the return of Redis until the last server went by it again. */
  back: number
}

/** How long Redis is away, in milliseconds; when frozen, longer than the servers keep a silent connection. */
const AWAY = { killed: 500, frozen: 3_000, full: 500, flushed: 0 }

/**
 * Takes Redis away, or its memory, and meanwhile asks every server for twice the limit of keys that only one of them
 * has seen before.
 */
export async function harmRedis (
  { servers, redis, makeKey }: Cluster,
  fault: (typeof REDIS_FAULTS)[number]
): Promise<RedisFigures> {
  const limit = 10
  const keys = await Promise.all(
    Array.from({ length: 4 }, async () => ({
      ...(await makeKey({ plan: 'enterprise', perMinute: limit, perDay: limit })),
      admitted: 0
    }))
  )
  const { secret: unlimited } = await makeKey(UNLIMITED)
  const answers: Answer[] = []
  const ask = async (server: Cluster['servers'][number], key: string): Promise<number> => {
    const answer = await send(`${server.root}/v1/pets?limit=1`, { key })
    answers.push(answer)
    return answer.status
  }
  const useUp = (of: Cluster['servers'], times: number) =>
    Promise.all(
      keys.flatMap((key) =>
        of.map(async (server) => {
          for (let time = 0; time < times; time++) if ((await ask(server, key.secret)) === 200) key.admitted++
        })
      )
    )
  const load = clients(6, async (client) => {
    await ask(servers[client % servers.length]!, unlimited)
    await sleep(20)
  })
  const readiness = async () =>
    await Promise.all(servers.map(async ({ root }) => JSON.parse((await send(`${root}/readyz`)).text).status as string))
  let seen: string[] = []
  let back = Infinity
  try {
    await useUp(servers.slice(0, 1), 4)
    if (fault === 'killed') await redis.server.end('SIGKILL')
    if (fault === 'frozen') redis.server.signal('SIGSTOP')
    if (fault === 'full') await tell(redis.url, 'CONFIG', 'SET', 'maxmemory', '1')
    if (fault === 'flushed') await tell(redis.url, 'FLUSHALL')
    await Promise.all([useUp(servers, 2 * limit), sleep(AWAY[fault])])
    seen = await readiness()
    if (fault === 'killed') await redis.server.start()
    if (fault === 'frozen') redis.server.signal('SIGCONT')
    if (fault === 'full') await tell(redis.url, 'CONFIG', 'SET', 'maxmemory', '0')
    const over = performance.now()
    while ((await readiness()).includes('degraded')) await sleep(5)
    back = Math.ceil(performance.now() - over)
    await useUp(servers, 4)
  } finally {
    await load.stop()
  }
  return { answers, limit, most: Math.max(...keys.map(({ admitted }) => admitted)), readiness: seen, back }
}

/** Writes the figures in one line. */
export function redisText ({ answers, limit, most, readiness, back }: RedisFigures): string {
  return [
    JSON.stringify(tally(answers)),
    `at most ${most} admitted of a limit of ${limit}`,
    `/readyz ${readiness.join(' ')}`,
    `exact ${back} ms after its return`,
    `answers p99 ${percentile(answers, 99)} ms`,
    `slowest ${percentile(answers, 100)} ms`
  ].join(', ')
}
