import { createKey } from '../../src/cli/keys.js'
import type { Plan } from '../../src/domain/plans.js'
import { openStorage } from '../../src/storage/open.js'
import type { Lifetime } from '../command/lifetime.js'
import type { Progress } from '../command/progress.js'
import { startPostgres, type PostgresServer } from './postgres.js'
import { runForJson, startProgram, type Running } from './program.js'
import { startRedis, type RedisServer } from './redis.js'

/** Servers that share one PostgreSQL and one Redis. */
export interface Cluster {
  postgres: PostgresServer
  redis: RedisServer
  /** Both URLs, as the program wants them. */
  environment: Record<string, string>
  servers: Running[]
  /** Stops one of the servers and starts it again on its port: this program, or that of another file. */
  restart(index: number, main?: string): Promise<void>
  /** A new key, on the plan free unless told otherwise. */
  makeKey(options?: { plan?: Plan; perMinute?: number; perDay?: number }): Promise<{ id: string; secret: string }>
  /** Refuses a key from when this resolves. */
  revokeKey(id: string): Promise<void>
  /** Runs the program with `--json` beside the servers, and gives the object that it prints. */
  run(...args: string[]): Promise<any>
}

/** What a cluster is made of. */
export interface ClusterOptions {
  servers?: number
  /** Further environment variables of the servers. */
  settings?: Record<string, string>
  /** Is told what is being started. */
  progress?: Progress
}

/**
 * Starts servers on one PostgreSQL, which waits for the disk at each commit, and one Redis, all on this machine and in
 * folders that are removed in the end.
 */
export async function startCluster (
  lifetime: Lifetime,
  { servers: count = 3, settings = {}, progress = () => {} }: ClusterOptions = {}
): Promise<Cluster> {
  progress('Starts PostgreSQL …')
  const postgres = await startPostgres({ durable: true })
  lifetime.teardown(() => postgres.server.remove())
  progress('Starts Redis …')
  const redis = await startRedis()
  lifetime.teardown(() => redis.server.remove())
  const environment = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
    ...settings
  }
  progress(`Starts ${count} servers …`)
  const servers = await Promise.all(Array.from({ length: count }, () => startProgram(lifetime, environment)))
  const restart: Cluster['restart'] = async (index, main) => {
    const { root, stop } = servers[index]!
    const code = await stop()
    if (code !== 0) throw new Error(`A server ended with ${code}.`)
    const again = { ...environment, PORT: new URL(root).port }
    servers[index] = await startProgram(lifetime, again, undefined, undefined, main)
  }
  const beside = await openStorage(environment.DATABASE_URL, { owner: false })
  lifetime.teardown(() => beside.close())
  return {
    postgres,
    redis,
    environment,
    servers,
    restart,
    run: (...args) => runForJson(args, environment),
    async makeKey ({ plan = 'free', ...numbers } = {}) {
      const { key, secret } = await createKey(beside.repositories.apiKeys, { plan, name: 'test', ...numbers })
      return { id: key.id, secret }
    },
    async revokeKey (id) {
      await beside.repositories.apiKeys.revoke(id, new Date())
    }
  }
}

/** Waits for the next minute when less than `needed` milliseconds of this one are left. */
export async function minuteWith (needed: number, progress: Progress = () => {}): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left >= needed) return
  progress(`Waits ${Math.ceil(left / 1_000)} s for the next minute …`)
  await new Promise((resolve) => setTimeout(resolve, left + 20))
}
