import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '../command/progress.js'
import type { Cluster } from './cluster.js'
import { clients, percentile, send, tally, UNLIMITED, type Answer } from './load.js'
import { ask, namesStoredTwice } from './postgres.js'

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
  /** Answers other than 201 that have no Retry-After or whose body is no Error. */
  malformed: number
}

/** How long PostgreSQL is frozen, in milliseconds: longer than any answer may take. */
const FROZEN = 4_000

/** Kills PostgreSQL (SIGKILL) and freezes it (SIGSTOP) in turn while clients add pets on every server. */
export async function harmPostgres (
  { servers, postgres, environment, makeKey }: Cluster,
  rounds: number,
  progress: Progress = () => {}
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
      progress(`PostgreSQL ${round % 2 === 0 ? 'killed' : 'frozen'}, ${round + 1} of ${rounds} …`)
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
    twice: await namesStoredTwice(environment.DATABASE_URL!),
    recoveries,
    malformed
  }
}

/** Writes the figures in one line. */
export function postgresText ({ answers, lost, acknowledged, twice, recoveries }: PostgresFigures): string {
  return [
    JSON.stringify(tally(answers)),
    `${acknowledged} acknowledged`,
    `${lost} lost`,
    `${twice.length} stored twice`,
    `recovery at most ${Math.max(...recoveries)} ms`,
    `slowest answer ${percentile(answers, 100)} ms`
  ].join(', ')
}
