import { linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
  const other = openSqlite(path, { owner: false })
  await t.rejects(pets.create({ name: 'Ada', categoryId: 9 }), removed, 'another file of the name does not help')
  await other.close()
})

t.test('a file of two names is refused, as a second server could own it by the other', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'petstore.db')
  await openSqlite(path, { owner: true }).close()
  linkSync(path, join(folder, 'other.db'))
  for (const name of ['petstore.db', 'other.db']) {
    t.throws(() => openSqlite(join(folder, name), { owner: true }), StartRefusal, name)
  }
  rmSync(join(folder, 'other.db'))
  await openSqlite(path, { owner: true }).close()
})
