import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { runForJson, startProgram } from '../../../scripts/cluster/program.js'
import type { Database } from '../../../src/storage/database/database.js'
import { openedFile } from '../../support/databases.js'
import { until } from '../../support/until.js'

/** Clients at a time. */
export const CLIENTS = 16

interface Answer {
  status: number
  json: any
}
type Call = (method: string, path: string, body?: object) => Promise<Answer>

/** Makes a key whose limits no client reaches, and gives its secret. */
export async function makeUnlimitedKey (environment: Record<string, string>): Promise<string> {
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
  }

  const file = openedFile(t, path)
  t.same(await file.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  return file
}
