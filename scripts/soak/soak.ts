import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clients, UNLIMITED } from '../cluster/load.js'
import { runForJson } from '../cluster/program.js'
import { temporaryFolder, type Lifetime } from '../command/lifetime.js'
import { sendAny } from './requests.js'
import { startWatched, type Holding } from './server.js'

/** What was seen over the minutes. */
export interface Soaked {
  /** How many answers of each status, and how many requests were broken off. */
  statuses: Record<string, number>
  brokenOff: number
  /** How long what was answered well took in each minute, in milliseconds. */
  minutes: { ms: number }[][]
  /** What the server held, and after how many minutes. */
  holdings: (Holding & { minute: number })[]
}

const PETS = 1_000
const CLIENTS = 32
/** How often it is looked at what the server holds, in milliseconds. */
const LOOKING = 10_000

/** Loads the program for some minutes with all kinds of requests, three of ten being refused or broken off. */
export async function soak (
  lifetime: Lifetime,
  minutes: number,
  progress: (text: string) => void = () => {}
): Promise<Soaked> {
  const path = join(await temporaryFolder(lifetime), 'petstore.db')
  const environment = { DATABASE_URL: `sqlite:${path}` }
  await runForJson(['seed', '--pets', String(PETS)], environment)
  const { plan, perMinute, perDay } = UNLIMITED
  const limits = ['--plan', plan, '--per-minute', String(perMinute), '--per-day', String(perDay)]
  const { key } = (await runForJson(['keys', 'create', ...limits], environment)) as { key: string }
  const { root, holding } = await startWatched(lifetime, path)

  const soaked: Soaked = { statuses: {}, brokenOff: 0, minutes: [], holdings: [] }
  const start = performance.now()
  const minute = (): number => (performance.now() - start) / 60_000
  const load = clients(CLIENTS, async () => {
    const { answer, isWell } = await sendAny({ root, key, pets: PETS })
    if (!answer) {
      soaked.brokenOff++
      return
    }
    soaked.statuses[answer.status] = (soaked.statuses[answer.status] ?? 0) + 1
    if (isWell) (soaked.minutes[Math.floor(minute())] ??= []).push({ ms: answer.ms })
  })
  while (minute() < minutes) {
    await sleep(Math.min(LOOKING, (minutes - minute()) * 60_000))
    soaked.holdings.push({ ...(await holding()), minute: minute() })
    progress(`${minute().toFixed(1)} of ${minutes} minutes: heap ${Math.round(soaked.holdings.at(-1)!.heap)} kB`)
  }
  await load.stop()
  return soaked
}

/** Gives the slope of the line through some points (least squares), in units of `y` for one of `x`. */
export function slopeOf (points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))]
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread
}
