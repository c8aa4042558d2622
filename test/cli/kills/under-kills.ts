import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Test } from 'tap'
import { runForJson, runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { StartRefusal } from '../../../src/domain/start-refusal.js'
import type { Database } from '../../../src/storage/database/database.js'
import { ensureFile } from '../../../src/storage/database/sqlite/file.js'
import { openedFile } from '../../support/databases.js'
import { until } from '../../support/until.js'
import { petsIn } from '../database/seeded.js'

/** Clients at a time. */
export const CLIENTS = 16

interface Answer {
  status: number
  json: any
}
type Call = (method: string, path: string, body?: object) => Promise<Answer>

/** Makes a database with a key whose limits no client reaches, and returns its secret. */
export async function makeUnlimitedKey (environment: Record<string, string>): Promise<string> {
  ensureFile(environment.DATABASE_URL!.slice(7), { create: true })
  const limits = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000']
  return (await runForJson(['keys', 'create', ...limits], environment)).key
}

/**
 * Lets clients call the service again and again while it is killed (SIGKILL) and started anew; gives the database that
 * is left.
 */
export async function underKills (t: Test, kills: number, client: (call: Call) => Promise<void>): Promise<Database> {
  const path = join(t.testdir(), 'petstore.db')
  const database = { DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'silent' }
  const key = await makeUnlimitedKey(database)
  const count = { answers: 0 }

  const callTo = async (root: string, method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${root}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    count.answers++
    return { status: response.status, json: text && JSON.parse(text) }
  }
  const keepOn = async (call: Call): Promise<void> => {
    for (;;) await client(call)
  }

  for (let kill = 1; kill <= kills; kill++) {
    const server = await startProgram(t, database)
    // Their connections break when the server is killed.
    const call: Call = (...request) => callTo(server.root, ...request)
    const clients = Array.from({ length: CLIENTS }, () => keepOn(call).catch(() => {}))
    const before = count.answers
    await until(async () => count.answers >= before + CLIENTS)
    await sleep(Math.random() * 200)
    t.equal(await server.stop('SIGKILL'), null)
    await Promise.all(clients)
    await checkAlone(t, path)
    // The next start must not mind who has opened the file after the kill.
    if (kill % 3 === 1) t.equal((await runProgram(['keys', 'list'], database)).code, 0)
    if (kill % 3 === 2) openAndClose(path)
  }

  const file = openedFile(t, path)
  t.same(await file.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  return file
}

/** Brings the log into the file, as sqlite3 does when it is the last to close it. */
function openAndClose (path: string): void {
  const file = new DatabaseSync(path)
  file.prepare('SELECT count(*) FROM pets').get()
  file.close()
}

/** Checks that the file of a killed server is refused without its log, unless it has all that is in the log. */
async function checkAlone (t: Test, path: string): Promise<void> {
  const [whole, alone] = [`${path}.whole`, `${path}.alone`]
  for (const ending of ['', '-wal']) copyFileSync(path + ending, whole + ending)
  copyFileSync(path, alone)
  try {
    ensureFile(alone, { copy: true })
    t.equal(petsIn(alone), petsIn(whole), 'all of the log was in the file')
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error
    t.match(error.message, /lacks its write-ahead log|is damaged/)
  }
  for (const name of [whole, alone]) for (const ending of ['', '-wal', '-shm']) rmSync(name + ending, { force: true })
}
