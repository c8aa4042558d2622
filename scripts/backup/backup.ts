import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { measure, type Window } from '../bench/load/window.js'
import { UNLIMITED } from '../cluster/load.js'
import { MAIN, nodeCommand, runForJson, startProgram } from '../cluster/program.js'
import { temporaryFolder, type Lifetime } from '../command/lifetime.js'
import type { Progress } from '../command/progress.js'

/** What is measured, and how long. */
export interface BackupSettings {
  /** Connections that store a pet again and again. */
  writers: number
  /** Pairs of windows. */
  rounds: number
  /** Seconds of each window. */
  seconds: number
  /** Pets that there are at first. */
  pets: number
}

/** What was seen of the writers in windows without a backup, and in as many while backups were made. */
export interface BackupWindows {
  without: Window[]
  during: Window[]
  /** How many backups were made. */
  backups: number
}

/** How long the writers write before a window is measured, in seconds. */
const RAMP = 0.5

/**
 * Measures writers beside a backup and without one, in turn: each round has a window of both, in the order that the
 * round before did not have, so that neither a growing file nor a busy machine favours one of them.
 */
export async function measureBackups (
  lifetime: Lifetime,
  { writers, rounds, seconds, pets }: BackupSettings,
  tell: Progress
): Promise<BackupWindows> {
  const folder = await temporaryFolder(lifetime)
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
  tell(`Stores ${pets} pets …`)
  await runForJson(['seed', '--pets', String(pets)], environment)
  const { plan, perMinute, perDay } = UNLIMITED
  const limits = ['--plan', plan, '--per-minute', String(perMinute), '--per-day', String(perDay)]
  const { key } = (await runForJson(['keys', 'create', ...limits], environment)) as { key: string }
  const { root, child } = await startProgram(lifetime, environment)
  const server = { pid: child.pid!, port: Number(new URL(root).port) }
  const request = postOf(key)
  const next = () => ({ request, isRight: (status: number) => status === 201 })
  const load = () => measure([server], next, { connections: writers, ramp: RAMP, seconds })

  const windows: BackupWindows = { without: [], during: [], backups: 0 }
  const file = join(folder, 'backup.db')
  const kinds = ['without', 'during'] as const
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      tell(`Round ${round + 1} of ${rounds}, ${kind} backups …`)
      if (kind === 'without') {
        windows.without.push(await load())
        continue
      }
      windows.backups += await backUpDuring(file, environment, async () => {
        windows.during.push(await load())
      })
    }
  }
  return windows
}

/** Makes one backup after the other while the work lasts, and gives how many became whole. */
async function backUpDuring (
  file: string,
  environment: Record<string, string>,
  work: () => Promise<void>
): Promise<number> {
  const over = new AbortController()
  const working = work().finally(() => over.abort())
  let whole = 0
  while (!over.signal.aborted) {
    await backUp(file, environment)
    whole++
  }
  await working
  return whole
}

/** Makes a backup as an operator does, by the program. */
async function backUp (file: string, environment: Record<string, string>): Promise<void> {
  const child = spawn(...nodeCommand([MAIN, 'backup', file, '--force']), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`petstore backup ended with ${code}`)
}

function postOf (key: string): string {
  const body = '{"name":"Rex","categoryId":1}'
  const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  return `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n${body}`
}
