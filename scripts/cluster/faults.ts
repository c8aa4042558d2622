import { setTimeout as sleep } from 'node:timers/promises'
import type { Balancer } from './balancer.js'
import type { Cluster } from './cluster.js'
import { clients, percentile, send, tally, type Answer } from './load.js'
import { ask } from './postgres.js'
import { tell } from './redis.js'

/** What clients saw of a database that was killed or frozen while they were adding pets. */
export interface PostgresFigures {
  answers: Answer[]
  /** Pets that were answered with 201 and are not there, or differ. */
  lost: number
  acknowledged: number
  /** Names under which more than one pet was stored: each was sent once. */
  twice: string[]
  /** Milliseconds from the end of each fault to the first 201 of each server. */
  recoveries: number[]
  /** Errors that lack a Retry-After or are no Error. */
  malformed: number
}

const UNLIMITED = { plan: 'enterprise', perMinute: 10_000_000, perDay: 10_000_000 } as const
/** How long PostgreSQL is frozen, in milliseconds: longer than any answer may take. */
const FROZEN = 4_000

/** Kills PostgreSQL (SIGKILL) and freezes it (SIGSTOP) in turn while clients add pets on every server. */
export async function harmPostgres (
  { servers, postgres, environment, makeKey }: Cluster,
  rounds: number
): Promise<PostgresFigures> {
  const { secret: key } = await makeKey(UNLIMITED)
  const answers: Answer[] = []
  const acknowledged = new Map<number, string>()
  const recovered = new Map<number, number>()
  let malformed = 0
  let sent = 0
  const load = clients(12, async (client) => {
    const server = client % servers.length
    const name = `Pet ${++sent}`
    const answer = await send(`${servers[server]!.root}/v1/pets`, {
      method: 'POST',
      key,
      body: { name, categoryId: sent }
    })
    answers.push(answer)
    if (answer.status === 201) {
      acknowledged.set(JSON.parse(answer.text).id, name)
      if (!recovered.has(server)) recovered.set(server, performance.now())
      return
    }
    if (answer.headers['retry-after'] !== '1' || JSON.parse(answer.text).status !== answer.status) malformed++
    await sleep(20)
  })
  const recoveries: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      await sleep(500)
      if (round % 2 === 0) {
        await postgres.server.end('SIGKILL')
        await sleep(300)
        await postgres.server.start()
      } else {
        postgres.server.signal('SIGSTOP')
        await sleep(FROZEN)
        postgres.server.signal('SIGCONT')
      }
      const over = performance.now()
      recovered.clear()
      while (recovered.size < servers.length && performance.now() < over + 20_000) await sleep(5)
      recoveries.push(...servers.map((_, server) => Math.round((recovered.get(server) ?? Infinity) - over)))
    }
  } finally {
    await load.stop()
  }
  const stored = new Map(
    (await ask(environment.DATABASE_URL!, 'SELECT id::int, name FROM pets')).map(({ id, name }) => [id, name])
  )
  const lost = [...acknowledged].filter(([id, name]) => stored.get(id) !== name).length
  return {
    answers,
    lost,
    acknowledged: acknowledged.size,
    twice: await storedTwice(environment.DATABASE_URL!),
    recoveries,
    malformed
  }
}

/** The figures in one line. */
export function postgresText ({ answers, lost, acknowledged, twice, recoveries }: PostgresFigures): string {
  return `${JSON.stringify(tally(answers))}, ${acknowledged} acknowledged, ${lost} lost, ${twice.length} stored twice, recovery at most ${Math.max(...recoveries)} ms, slowest answer ${percentile(answers, 100)} ms`
}

/** The names that more than one pet has. */
async function storedTwice (url: string): Promise<string[]> {
  return (await ask(url, 'SELECT name FROM pets GROUP BY name HAVING count(*) > 1')).map(({ name }) => name as string)
}

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

/** How long Redis is away, in milliseconds: when frozen, longer than its silence keeps a connection. */
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

/** The figures in one line. */
export function redisText ({ answers, limit, most, readiness, back }: RedisFigures): string {
  return (
    `${JSON.stringify(tally(answers))}, at most ${most} admitted of a limit of ${limit}, /readyz ${readiness.join(' ')}, exact ${back} ms after its return, ` +
    `answers p99 ${percentile(answers, 99)} ms, slowest ${percentile(answers, 100)} ms`
  )
}

/** What clients saw of servers that were restarted one after the other. */
export interface RollFigures {
  answers: Answer[]
  failures: string[]
  acknowledged: number
  lost: number
  twice: string[]
  restarts: number
}

/** Restarts every server of a cluster in turn, so many rounds, while clients read and add pets through a balancer. */
export async function roll (
  { servers, restart, makeKey, environment }: Cluster,
  balancer: Balancer,
  rounds: number
): Promise<RollFigures> {
  const { secret: key } = await makeKey(UNLIMITED)
  const answers: Answer[] = []
  const failures: string[] = []
  const acknowledged: number[] = []
  let sent = 0
  const load = clients(16, async (client) => {
    const adds = client % 2 === 0
    try {
      const answer = await send(`${balancer.root}/v1/pets${adds ? '' : '?limit=1'}`, {
        key,
        keep: false,
        ...(adds ? { method: 'POST', body: { name: `Rolled ${++sent}`, categoryId: 1 } } : {})
      })
      answers.push(answer)
      if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id)
      else if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`)
    } catch (error) {
      failures.push(String(error))
    }
  })
  try {
    for (let round = 0; round < rounds; round++) {
      for (const index of servers.keys()) {
        await restart(index)
        await balancer.serving(servers.length)
      }
    }
  } finally {
    await load.stop()
  }
  const stored = new Set((await ask(environment.DATABASE_URL!, 'SELECT id::int FROM pets')).map(({ id }) => id))
  const lost = acknowledged.filter((id) => !stored.has(id)).length
  return {
    answers,
    failures,
    acknowledged: acknowledged.length,
    lost,
    twice: await storedTwice(environment.DATABASE_URL!),
    restarts: rounds * servers.length
  }
}

/** The figures in one line. */
export function rollText ({ answers, failures, acknowledged, lost, twice, restarts }: RollFigures): string {
  return `${restarts} restarts, ${answers.length} requests, ${failures.length} failed, ${acknowledged} acknowledged, ${lost} lost, ${twice.length} stored twice, answers p99 ${percentile(answers, 99)} ms`
}
