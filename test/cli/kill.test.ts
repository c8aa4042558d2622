import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSqlite } from '../../src/storage/sqlite.js'
import { runProgram, startProgram } from '../support/program.js'

const KILLS = 10
const CLIENTS = 16

t.test(`${KILLS} kills (SIGKILL) under ${CLIENTS} clients that add pets: every pet that was answered is there, whole, under an id of its own`, async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = { DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'silent' }
  const { key } = JSON.parse((await runProgram(['keys', 'create', '--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000', '--json'], database)).stdout)
  const answered = new Map<number, { name: string, categoryId: number }>()
  let sent = 0

  const addPets = async (root: string): Promise<void> => {
    for (;;) {
      const number = ++sent
      const pet = { name: `Pet ${number} ${'x'.repeat(number % 500)}`, categoryId: number }
      const response = await fetch(`${root}/v1/pets`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify(pet) })
      const { id } = await response.json() as { id: number }
      if (response.status !== 201 || answered.has(id)) t.fail(`pet ${id} was answered with ${response.status}, or twice`)
      answered.set(id, pet)
    }
  }

  for (let kill = 1; kill <= KILLS; kill++) {
    const server = await startProgram(t, database)
    const clients = Array.from({ length: CLIENTS }, () => addPets(server.root).catch(() => {})) // their connections break
    const before = answered.size
    while (answered.size < before + CLIENTS) await sleep(5)
    await sleep(Math.random() * 200)
    t.equal(await server.stop('SIGKILL'), null)
    await Promise.all(clients)
  }

  const file = openSqlite(path, { owner: true })
  t.teardown(() => file.close())
  t.same(await file.query('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  const stored = new Map((await file.query('SELECT * FROM pets')).map((row) => [row.id, { name: row.name, categoryId: row.category_id }]))
  const lost = [...answered].filter(([id, pet]) => JSON.stringify(stored.get(id)) !== JSON.stringify(pet))
  t.same(lost, [])
  t.comment(`${sent} sent, ${answered.size} answered, ${lost.length} lost, ${stored.size - answered.size} stored without an answer`)
  t.ok(answered.size >= KILLS * CLIENTS)
})
