import type { Cluster } from './cluster.js'
import { clients, send, tally, UNLIMITED, type Answer } from './load.js'
import { eventually } from './server.js'

/** How many requests with one key, sent at once, were answered how. */
export interface StormFigures {
  /** How often each status came. */
  tally: Record<number, number>
  /** How many requests of the day were counted in the end. */
  day: number
}

/** Sends many requests at once with a new key on the plan pro, spread over all servers. */
export async function stormPro ({ servers, makeKey, run }: Cluster, count: number): Promise<StormFigures> {
  const { id, secret: key } = await makeKey({ plan: 'pro' })
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(`${servers[index % servers.length]!.root}/v1/pets?limit=1`, { key })
    )
  )
  const counts = tally(answers)
  // The counts are copied to the database some seconds later.
  const day = await eventually(async () => {
    const { usedToday } = await run('keys', 'show', id)
    if (usedToday < (counts[200] ?? 0)) throw new Error(`The day counter says ${usedToday}.`)
    return usedToday as number
  })
  return { tally: counts, day }
}

/** What became of a revoked key that was in use on every server. */
export interface RevocationFigures {
  /** Answers before it was revoked. */
  before: number
  /** Requests that were sent after it was revoked and yet served. */
  served: number
  /** Milliseconds from the revocation until every server had refused it. */
  ms: number
}

/** Revokes a key while clients use it on every server. */
export async function revokeUnderLoad ({ servers, makeKey, revokeKey }: Cluster): Promise<RevocationFigures> {
  const { id, secret: key } = await makeKey(UNLIMITED)
  const answers: (Answer & { server: number; sentAt: number; at: number })[] = []
  const load = clients(4 * servers.length, async (client) => {
    const server = client % servers.length
    const sentAt = performance.now()
    answers.push({
      ...(await send(`${servers[server]!.root}/v1/pets?limit=1`, { key })),
      server,
      sentAt,
      at: performance.now()
    })
  })
  let revokedAt = Infinity
  const refusedBy = (): Set<number> =>
    new Set(answers.filter(({ status, sentAt }) => status === 401 && sentAt > revokedAt).map(({ server }) => server))
  try {
    await eventually(async () => {
      if (answers.length < 200) throw new Error('The key is not in use yet.')
    })
    await revokeKey(id)
    revokedAt = performance.now()
    await eventually(async () => {
      if (refusedBy().size < servers.length) throw new Error('Not every server refuses the key.')
    })
  } finally {
    await load.stop()
  }
  const first = servers.map(
    (_, index) =>
      answers.find(({ status, server, sentAt }) => status === 401 && server === index && sentAt > revokedAt)!.at
  )
  return {
    before: answers.filter(({ at }) => at < revokedAt).length,
    served: answers.filter(({ status, sentAt }) => status === 200 && sentAt > revokedAt).length,
    ms: Math.ceil(Math.max(...first) - revokedAt)
  }
}
