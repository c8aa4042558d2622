import { createKey } from '../../src/cli/keys.js'
import type { Plan } from '../../src/domain/plans.js'
import { openStorage } from '../../src/storage/open.js'
import type { Lifetime } from './lifetime.js'
import { startPostgres, type PostgresServer } from './postgres.js'
import { runProgram, startProgram, type Running } from './program.js'
import { startRedis, type RedisServer } from './redis.js'

export interface Cluster {
  postgres: PostgresServer
  redis: RedisServer
  /** Both URLs, as the program wants them. */
  environment: Record<string, string>
  servers: Running[]
  /** Stops one of the servers and starts it again on its port. */
  restart(index: number): Promise<void>
  /** A new key, on the plan free unless told otherwise. */
  makeKey(options?: { plan?: Plan; perMinute?: number; perDay?: number }): Promise<{ id: string; secret: string }>
  /** Refuses a key from when this resolves. */
  revokeKey(id: string): Promise<void>
  /** Runs the program beside the servers. */
  run(...args: string[]): Promise<any>
}

/**
 * So many servers on one PostgreSQL, which waits for the disk, and one Redis, all on this machine and in folders that
 * are removed in the end.
 */
export async function startCluster (
  lifetime: Lifetime,
  { servers: count = 3, settings = {} }: { servers?: number; settings?: Record<string, string> } = {}
): Promise<Cluster> {
  const postgres = await startPostgres({ durable: true })
  lifetime.teardown(() => postgres.server.remove())
  const redis = await startRedis()
  lifetime.teardown(() => redis.server.remove())
  const environment = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
    ...settings
  }
  const servers = await Promise.all(Array.from({ length: count }, () => startProgram(lifetime, environment)))
  const restart: Cluster['restart'] = async (index) => {
    const { root, stop } = servers[index]!
    const code = await stop()
    if (code !== 0) throw new Error(`A server ended with ${code}.`)
    servers[index] = await startProgram(lifetime, { ...environment, PORT: new URL(root).port })
  }
  const run: Cluster['run'] = async (...args) => {
    const { code, stdout, stderr } = await runProgram([...args, '--json'], environment)
    if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout.trim().split('\n').at(-1)!)
  }
  const beside = await openStorage(environment.DATABASE_URL, { owner: false })
  lifetime.teardown(() => beside.close())
  return {
    postgres,
    redis,
    environment,
    servers,
    restart,
    run,
    async makeKey ({ plan = 'free', ...numbers } = {}) {
      const { key, secret } = await createKey(beside.repositories.apiKeys, { plan, name: 'test', ...numbers })
      return { id: key.id, secret }
    },
    async revokeKey (id) {
      await beside.repositories.apiKeys.revoke(id, new Date())
    }
  }
}

/** Waits until at least so many milliseconds of the current minute are left. */
export async function minuteWith (milliseconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < milliseconds) await new Promise((resolve) => setTimeout(resolve, left + 20))
}
