import type { Progress } from '../command/progress.js'
import type { Balancer } from './balancer.js'
import type { Cluster } from './cluster.js'
import { clients, percentile, send, UNLIMITED, type Answer } from './load.js'
import { ask, namesStoredTwice } from './postgres.js'

/** What clients saw of servers that were restarted one after the other. */
export interface RestartFigures {
  answers: Answer[]
  failures: string[]
  acknowledged: number
  lost: number
  twice: string[]
  restarts: number
}

/** Restarts every server of a cluster in turn, again and again, while clients read and add pets through a balancer. */
export async function restartInTurn (
  { servers, restart, makeKey, environment }: Cluster,
  balancer: Balancer,
  rounds: number,
  progress: Progress = () => {}
): Promise<RestartFigures> {
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
        progress(`Restarts server ${index + 1}, ${round + 1} of ${rounds} times …`)
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
    twice: await namesStoredTwice(environment.DATABASE_URL!),
    restarts: rounds * servers.length
  }
}

/** Writes the figures in one line. */
export function restartText ({ answers, failures, acknowledged, lost, twice, restarts }: RestartFigures): string {
  return [
    `${restarts} restarts`,
    `${answers.length} requests`,
    `${failures.length} failed`,
    `${acknowledged} acknowledged`,
    `${lost} lost`,
    `${twice.length} stored twice`,
    `answers p99 ${percentile(answers, 99)} ms`
  ].join(', ')
}
