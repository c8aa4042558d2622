import { join } from 'node:path'
import { Redis } from 'ioredis'
import { launch, programAt, Server } from './server.js'

const program = programAt('redis-server') ?? programAt('valkey-server')

/** Why no Redis can be started here; undefined when one can. */
export const redisLack = program ? undefined : 'Redis is not installed'

export interface RedisServer {
  server: Server
  url: string
}

/** Starts a Redis with nothing in it, which keeps nothing when it ends. */
export async function startRedis ({
  password = '',
  settings = []
}: { password?: string; settings?: string[] } = {}): Promise<RedisServer> {
  const urlOf = (port: number): string => `redis://${password && `:${password}@`}127.0.0.1:${port}`
  const guard = password ? ['--requirepass', password] : []
  const server = await Server.start({
    command: (folder, port) =>
      launch(program!, [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--logfile',
        join(folder, 'log'),
        ...guard,
        ...settings
      ]),
    ready: (port) => tell(urlOf(port), 'PING')
  })
  return { server, url: urlOf(server.port) }
}

/** One command over a connection of its own. */
export async function tell (url: string, command: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await redis.call(command, ...args)
  } finally {
    redis.disconnect()
  }
}
