import { readFile } from 'node:fs/promises'
import { minuteWith } from '../cluster/cluster.js'
import { send, tally, type Answer } from '../cluster/load.js'
import { runForJson, startProgram } from '../cluster/program.js'
import type { Lifetime } from '../command/lifetime.js'
import type { Progress } from '../command/progress.js'

/** Where the program runs, and who is told what it is waiting for. */
interface Place {
  lifetime: Lifetime
  environment: Record<string, string>
  progress: Progress
}

/** Length of a window, in milliseconds. */
const MINUTE = 60_000

async function newKey ({ environment }: Place, ...options: string[]): Promise<string> {
  return (await runForJson(['keys', 'create', ...options], environment)).key
}

function call (root: string, key: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${root}/v1/pets?limit=1`, { key, headers })
}

/** Sends many calls at once over 64 connections, and counts how often each status came back. */
async function storm (root: string, key: string, count: number): Promise<Record<number, number>> {
  return tally(await Promise.all(Array.from({ length: count }, () => call(root, key))))
}

/** Sends 2,000 calls with one key on the plan free within one window; gives how many were served and refused. */
export async function stormOneWindow (place: Place): Promise<{ ok: number; refused: number }> {
  const { root, stop } = await startProgram(place.lifetime, place.environment)
  const key = await newKey(place)
  await minuteWith(20_000, place.progress)
  const counts = await storm(root, key, 2_000)
  await stop()
  return { ok: counts[200] ?? 0, refused: counts[429] ?? 0 }
}

/** Sends more calls with one key on the plan free than it may have in each of three windows; gives how many succeed. */
export async function stormThreeWindows (place: Place): Promise<number> {
  const { root, stop } = await startProgram(place.lifetime, place.environment)
  const key = await newKey(place)
  let ok = 0
  for (let window = 1; window <= 3; window++) {
    await minuteWith(window === 1 ? 20_000 : MINUTE, place.progress)
    // Fewer refusals than bring a ban, on both sides of the boundary.
    ok += (await storm(root, key, 66))[200] ?? 0
  }
  await stop()
  return ok
}

/**
 * Restarts the program again and again while a key is used, then uses the key up; gives how many of its calls were
 * served, of how many that it may have.
 */
export async function restartWithinWindow (
  place: Place,
  signal: NodeJS.Signals
): Promise<{ admitted: number; limit: number; block: number; restarts: number }> {
  const limit = 200
  const restarts = 20
  const start = () => startProgram(place.lifetime, place.environment)
  let server = await start()
  const key = await newKey(place, '--plan', 'enterprise', '--per-minute', String(limit), '--per-day', String(limit))
  let admitted = 0
  for (let restart = 1; restart <= restarts; restart++) {
    place.progress(`Restarts by ${signal}, ${restart} of ${restarts} …`)
    admitted += (await storm(server.root, key, 7))[200] ?? 0
    await server.stop(signal)
    server = await start()
  }
  while ((await call(server.root, key)).status === 200) admitted++
  await server.stop()
  return { admitted, limit, block: limit * 0.05, restarts }
}

/**
 * Sends 100,000 calls with wrong keys from as many addresses between two calls of a key; gives how many calls the key
 * has left of its 1,000 and by how many megabytes the memory of the program grew.
 */
export async function sendFromManyAddresses (place: Place): Promise<{ left: number; growth: number }> {
  const { root, child, stop } = await startProgram(place.lifetime, {
    ...place.environment,
    TRUST_PROXY: '127.0.0.1'
  })
  const key = await newKey(place)
  await minuteWith(50_000, place.progress)
  await call(root, key)
  const memory = async () => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))!
    return Number(kilobytes) / 1024
  }
  // What any load takes is taken before: the growth is that of 100,000 different callers.
  await inBatches(20_000, () => call(root, 'junk'))
  const before = await memory()
  await inBatches(100_000, (index) => {
    if (index % 5_000 === 0) place.progress(`Sends from 100,000 addresses, ${index} done …`)
    return call(root, `pet_live_${String(index).padStart(38, 'x')}`, { 'x-forwarded-for': addressOf(index) })
  })
  const growth = (await memory()) - before
  const left = Number(/"day";r=(\d+)/.exec(String((await call(root, key)).headers.ratelimit))?.[1])
  await stop()
  return { left, growth }
}

/** Does a piece of work so many times, 500 at a time. */
async function inBatches (count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, index) => work(from + index)))
  }
}

function addressOf (index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}
