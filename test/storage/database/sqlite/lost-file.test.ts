import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { StartRefusal } from '../../../../src/domain/start-refusal.js'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { petRepository } from '../../../../src/storage/repositories/pets.js'
import { openedFile } from '../../../support/databases.js'

t.test('nothing is acknowledged any more once the file was removed or replaced', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  const pets = petRepository(database)
  await pets.create({ name: 'Rex', categoryId: 7 })
  await database.ping()
  const removed = {
    name: 'StorageUnavailable',
    message: `The database ${path} was removed or replaced while it was in use.`
  }
  renameSync(path, `${path}.away`)
  await t.rejects(pets.create({ name: 'Ada', categoryId: 9 }), removed)
  await t.rejects(database.ping(), removed)
  const other = openSqlite(path, { owner: false, create: true, anew: true })
  await t.rejects(pets.create({ name: 'Ada', categoryId: 9 }), removed, 'another file of the name does not help')
  await other.close()
})

t.test('nothing is acknowledged any more once the log or its index was removed, and nothing before is lost', async (t) => {
  for (const ending of ['-wal', '-shm']) {
    const path = join(t.testdir(), 'petstore.db')
    const database = openedFile(t, path)
    const pets = petRepository(database)
    await pets.create({ name: 'Rex', categoryId: 7 })
    rmSync(path + ending)
    const removed = {
      name: 'StorageUnavailable',
      message: `The file ${path}${ending} was removed or replaced while it was in use. Nothing is written any more; restart the service.`
    }
    await t.rejects(pets.create({ name: 'Ada', categoryId: 9 }), removed)
    await t.rejects(database.ping(), removed)
    t.equal((await pets.list({ limit: 20 })).items.length, 1, 'reads go on')
    copyFileSync(path, `${path}.as-after-a-crash`)
    const after = openedFile(t, `${path}.as-after-a-crash`)
    t.same((await petRepository(after).list({ limit: 20 })).items.map(({ name }) => name), ['Rex'])
  }
})

t.test('nothing is acknowledged any more once the log was cut off', async (t) => {
  for (const size of [0, 10, 5_000]) {
    const path = join(t.testdir(), 'petstore.db')
    const database = openedFile(t, path)
    const pets = petRepository(database)
    await pets.create({ name: 'Rex', categoryId: 7 })
    truncateSync(`${path}-wal`, size)
    const cutOff = { name: 'StorageUnavailable', message: /^The file .*-wal was cut off while it was in use\. Nothing is/ }
    await t.rejects(pets.create({ name: 'Ada', categoryId: 9 }), cutOff, `to ${size} bytes`)
    await t.rejects(database.ping(), cutOff)
  }
})

t.test('another program may copy the log into the database and empty it', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  const pets = petRepository(database)
  const other = new DatabaseSync(path)
  for (let round = 1; round <= 3; round++) {
    await pets.create({ name: 'Rex', categoryId: 7 })
    await database.ping()
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    t.equal(statSync(`${path}-wal`).size, 0)
    await database.ping()
    await pets.create({ name: 'Ada', categoryId: 7 })
  }
  other.close()
  t.equal((await pets.list({ limit: 20 })).items.length, 6)
})

t.test('a database that was removed is not made anew unless that is said', async (t) => {
  for (const ending of ['-wal', '-shm', '.lock']) {
    const folder = t.testdir()
    const path = join(folder, 'petstore.db')
    const database = openSqlite(path, { owner: true })
    await petRepository(database).create({ name: 'Rex', categoryId: 7 })
    for (const name of [path, `${path}-wal`, `${path}-shm`, `${path}.lock`]) {
      if (name !== path + ending) rmSync(name)
    }
    await database.close()
    if (!existsSync(path + ending)) writeFileSync(path + ending, 'left over')
    for (const owner of [true, false]) {
      t.throws(() => openSqlite(path, { owner }), {
        name: 'StartRefusal',
        message: `The database ${path} is gone, but there was one: ${path}${ending} is still there. Restore a backup, or set DATABASE_ANEW=on to begin with an empty database.`
      })
    }
    t.notOk(existsSync(path))
    if (ending === '.lock') writeFileSync(path + ending, '')
    const anew = openSqlite(path, { owner: true, anew: true })
    t.same((await petRepository(anew).list({ limit: 20 })).items, [])
    await anew.close()
  }
})

t.test('a file of two names is refused, as a second server could own it by the other', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'petstore.db')
  await openSqlite(path, { owner: true }).close()
  linkSync(path, join(folder, 'other.db'))
  for (const name of ['petstore.db', 'other.db']) {
    t.throws(() => openSqlite(join(folder, name), { owner: true }), StartRefusal, name)
  }
  t.same(readdirSync(folder).sort(), ['other.db', 'petstore.db', 'petstore.db.lock'], 'nothing is left beside it')
  rmSync(join(folder, 'other.db'))
  await openSqlite(path, { owner: true }).close()
})
