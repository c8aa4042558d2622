import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StorageUnavailable } from '../../../../src/domain/errors.js'
import type { Database } from '../../../../src/storage/database/database.js'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { petRepository } from '../../../../src/storage/repositories/pets.js'
import { openedFile } from '../../../support/databases.js'
import { smallDisk } from '../../../support/leave-out.js'

const NAME = 'x'.repeat(4_000)

/** Adds pets, ten at a time, until one is refused for want of space; gives the ids of those that were stored. */
async function fill (t: Test, database: Database): Promise<unknown[]> {
  const pets = petRepository(database)
  const stored: unknown[] = []
  for (let round = 0; round < 1_000; round++) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => pets.create({ name: NAME, categoryId: 1 }))
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    stored.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : [])))
    if (refused.length === 0) continue
    for (const { reason } of refused) {
      if (!(reason instanceof StorageUnavailable && /SQLITE_FULL/.test(reason.message))) {
        t.fail(`refused with ${String(reason)}`)
      }
    }
    return stored
  }
  throw new Error('The disk was never full.')
}

async function idsIn (database: Database): Promise<unknown[]> {
  return (await database.read('SELECT id FROM pets ORDER BY id')).map(({ id }) => id)
}

t.test(
  'a database that may not grow refuses writes as unavailable, goes on reading, and writes again once it may',
  async (t) => {
    const database = openedFile(t, join(t.testdir(), 'petstore.db'))
    const limit = (pages: number) => database.transaction(({ write }) => write(`PRAGMA max_page_count = ${pages}`))
    await limit(100)
    const stored = await fill(t, database)
    t.ok(stored.length > 50)
    t.same(await idsIn(database), stored)
    t.same(await database.ping(), { writable: false })
    await limit(1_000)
    const { id } = await petRepository(database).create({ name: NAME, categoryId: 1 })
    t.same(await idsIn(database), [...stored, id])
    t.same(await database.ping(), { writable: true })
  }
)

t.test('a disk that is full before anybody writes is known too', async (t) => {
  const folder = smallDisk(t, 2 ** 20)
  if (!folder) return
  const database = openSqlite(join(folder, 'petstore.db'), { owner: true })
  t.same(await database.ping(), { writable: true })
  try {
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(2 ** 20))
  } catch {}
  await sleep(1_100)
  t.same(await database.ping(), { writable: false })
  await database.close()
})

t.test(
  'a full disk loses nothing that was answered; once there is room, writes work again without a restart',
  async (t) => {
    const folder = smallDisk(t, 2 ** 20)
    if (!folder) return
    const path = join(folder, 'petstore.db')
    const database = openSqlite(path, { owner: true })
    const stored = await fill(t, database)
    t.ok(stored.length > 50)
    t.same(await idsIn(database), stored, 'reads go on')
    t.same(await database.ping(), { writable: false })
    execFileSync('mount', ['-o', 'remount,size=8m', folder])
    await sleep(1_100)
    t.same(await database.ping(), { writable: true }, 'without a write of anybody')
    stored.push((await petRepository(database).create({ name: NAME, categoryId: 1 })).id)
    t.same(await idsIn(database), stored)
    await database.close()

    const again = openSqlite(path, { owner: true })
    t.same(await idsIn(again), stored)
    t.same(await again.read('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    await again.close()
  }
)

t.test('a database can be closed while its disk is full', async (t) => {
  const folder = smallDisk(t, 2 ** 20)
  if (!folder) return
  const path = join(folder, 'petstore.db')
  const database = openSqlite(path, { owner: true })
  const stored = await fill(t, database)
  await database.close()
  execFileSync('mount', ['-o', 'remount,size=8m', folder])
  const again = openSqlite(path, { owner: true })
  t.same(await idsIn(again), stored)
  await again.close()
})
