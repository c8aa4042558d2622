import { join } from 'node:path'
import { Redis } from 'ioredis'
import { launch, programAt, Server } from './server.js'

const program = programAt('redis-server') ?? programAt('valkey-server')

/** Says that Redis is missing on this machine; undefined when it is there. */
export const missingRedis = program ? undefined : 'Redis is not installed'

/** A Redis that runs on this machine. */
export interface RedisServer {
  server: Server
  url: string
}

/** Starts an empty Redis, which keeps nothing when it ends. */
export async function startRedis ({
  password = '',
  settings = []
}: { password?: string; settings?: string[] } = {}): Promise<RedisServer> {
  const urlOf = (port: number): string => `redis://${password && `:${password}@`}127.0.0.1:${port}`
  const server = await Server.start({
    command (folder, port) {
      const address = ['--bind', '127.0.0.1', '--port', String(port)]
      const files = ['--dir', folder, '--logfile', join(folder, 'log'), '--save', '']
      return launch(program!, [...address, ...files, ...(password ? ['--requirepass', password] : []), ...settings])
    },
    ready: (port) => tell(urlOf(port), 'PING')
  })
  return { server, url: urlOf(server.port) }
}

/** Sends one command over a connection of its own and gives the answer. */
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
