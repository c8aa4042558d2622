import type { Redis } from 'ioredis'

/**
 * Makes what gives the run id of the Redis behind a connection: a random name that it takes at each start. It is asked
 * for once in each connection, because a connection ends with the run that it leads to. Who sends a command in the same
 * turn in which the id is given sends it to that run: one that is sent after the connection has ended fails.
 */
export function runOf (redis: Redis): () => Promise<string> {
  let asked: Promise<string> | undefined
  redis.on('close', () => {
    asked = undefined
  })
  return () => {
    asked ??= redis.info('server').then(runIn, (error) => {
      asked = undefined
      throw error
    })
    return asked
  }
}

function runIn (info: string): string {
  const [, run] = /^run_id:(\w+)/m.exec(info) ?? []
  if (run === undefined) throw new Error('Redis does not say its run_id in INFO.')
  return run
}
