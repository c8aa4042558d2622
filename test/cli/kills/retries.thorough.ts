import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { until } from '../../support/until.js'
import { CLIENTS, makeUnlimitedKey } from './under-kills.js'

/** More for a long run, which may last longer than `npm test` lets a file: KILLS=50 npx tap run -t 0 FILE */
const KILLS = Number(process.env.KILLS ?? 3)

t.test(
  `${KILLS} kills (SIGKILL) under ${CLIENTS} clients that send each request until it is answered: one pet for each key, and one answer`,
  { timeout: 0 },
  async (t) => {
    const path = join(t.testdir(), 'petstore.db')
    const database = { DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'silent' }
    const key = await makeUnlimitedKey(database)
    const answers = new Map<string, string>()
    const counts = { sent: 0, replayed: 0, busy: 0, different: 0 }
    let server = startProgram(t, database)
    const over = new AbortController()

    /** The status of the answer; undefined when the connection broke. */
    const send = async (name: string): Promise<number | undefined> => {
      const { root } = await server
      counts.sent++
      try {
        const response = await fetch(`${root}/v1/pets`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': `"${name}"`
          },
          body: JSON.stringify({ name, categoryId: 1 })
        })
        const text = await response.text()
        if (response.headers.get('idempotent-replayed')) counts.replayed++
        if (response.status === 409) counts.busy++
        else if (response.status !== 201) t.fail(`answered ${response.status}: ${text}`)
        else if ((answers.get(name) ?? text) !== text) counts.different++
        else answers.set(name, text)
        return response.status
      } catch {
        return undefined
      }
    }
    const client = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const name = randomUUID()
        // Every fifth request is sent twice at once, as an impatient client does.
        const twice = Math.random() < 0.2
        for (let done = false; !done;) {
          const statuses = await Promise.all(twice ? [send(name), send(name)] : [send(name)])
          done = statuses.includes(201)
        }
      }
    }

    const clients = Array.from({ length: CLIENTS }, client)
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = answers.size
      await until(async () => answers.size >= before + CLIENTS)
      await sleep(Math.random() * 200)
      const killed = await server
      server = killed.stop('SIGKILL').then(() => startProgram(t, database))
      await server
    }
    over.abort()
    await Promise.all(clients)
    await (await server).stop()

    const file = openSqlite(path, { owner: true })
    t.teardown(() => file.close())
    t.same(await file.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    const pets = await file.read('SELECT id, name FROM pets')
    const kept = await file.read('SELECT key, body FROM idempotency_keys WHERE status = 201')
    t.equal(pets.length, answers.size, 'a pet for each key')
    t.same(new Set(pets.map((row) => row.name)), new Set(answers.keys()))
    t.equal(kept.length, answers.size)
    for (const { key: name, body } of kept) if (answers.get(name as string) !== body) counts.different++
    t.equal(counts.different, 0, 'no answer differs from another to the same request')
    t.comment(
      `${answers.size} keys, ${pets.length} pets, ${counts.sent} sends, ${counts.replayed} replays, ${counts.busy} told to wait, ${counts.different} different`
    )
  }
)
