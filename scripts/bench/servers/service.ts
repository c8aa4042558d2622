import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Lifetime } from '../../command/lifetime.js'
import type { Cores } from '../machine.js'
import { startServer, type ServerProcess } from './server.js'

/** What the service has stored, before it is started. */
export interface Stored {
  /** Where the logs are. */
  folder: string
  /** The settings of the service. */
  environment: Record<string, string>
  /** The secret of a key without limits. */
  key: string
}

/** The service while it runs. */
export interface Service extends ServerProcess {
  /** Empties the log, which a long run would fill the disk with. */
  emptyLog(): Promise<void>
}

/** The program that `npm run build` has made. */
const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
/** So many requests a minute and a day that none is refused: the most that a key may have. */
const NO_LIMIT = '2147483647'
/** Longest time that making pets may take, in milliseconds: on a slow disk a million of them take minutes. */
const SEED_TIME = 1_800_000

/** Makes a SQLite file in a new folder, with so many pets and a key without limits. */
export async function storeInFile (folder: string, pets: number): Promise<Stored> {
  await mkdir(folder)
  return store(folder, { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` }, pets)
}

/** Stores so many pets and a key without limits by the commands of the program, wherever its settings say. */
export async function store (folder: string, settings: Record<string, string>, pets: number): Promise<Stored> {
  const environment = { HOST: '127.0.0.1', PORT: '0', ...settings }
  const petstore = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], {
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      timeout: SEED_TIME
    })
    return stdout
  }
  const limits = ['--per-minute', NO_LIMIT, '--per-day', NO_LIMIT]
  await petstore('seed', '--pets', String(pets))
  const { key } = JSON.parse(await petstore('keys', 'create', '--plan', 'enterprise', ...limits)) as { key: string }
  return { folder, environment, key }
}

/**
 * Starts `petstore serve` as in production over what is stored. Its log goes to a file of its own, at the default
 * level.
 */
export async function startService (
  lifetime: Lifetime,
  cores: Cores,
  { folder, environment }: Stored,
  { nodeArgs = [], further = {} }: { nodeArgs?: string[]; further?: Record<string, string> } = {}
): Promise<Service> {
  const log = join(folder, `${randomUUID()}.log`)
  const server = await startServer(lifetime, cores, {
    name: 'petstore serve',
    args: [...nodeArgs, MAIN, 'serve'],
    environment: { ...environment, ...further },
    log
  })
  return { ...server, emptyLog: () => truncate(log) }
}
