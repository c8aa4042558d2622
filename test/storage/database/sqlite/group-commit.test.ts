import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import type { Database } from '../../../../src/storage/database/database.js'
import { openedFile } from '../../../support/databases.js'
import { commitsIn } from '../../../support/wal.js'

/** SQLITE_CONSTRAINT_FOREIGNKEY */
const FOREIGN_KEY = 787
const INSERT = 'INSERT INTO notes (id, text) VALUES ($1, $2)'

/** A database with a table that can refuse a row at once (id, text) or at the commit (parent). */
async function withNotes (t: Test) {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  await database.write(`CREATE TABLE notes (
    id INTEGER PRIMARY KEY, text TEXT NOT NULL, parent INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED
  ) STRICT`)
  const beside = new DatabaseSync(path, { readOnly: true })
  t.teardown(() => beside.close())
  return {
    database,
    commits: () => commitsIn(path),
    add: (id: number) => database.write(INSERT, [id, `note ${id}`]),
    /** The ids that another program sees. */
    durable: () => beside.prepare('SELECT id FROM notes ORDER BY id').all().map(({ id }) => id)
  }
}

async function idsIn (database: Pick<Database, 'read'>): Promise<unknown[]> {
  return (await database.read('SELECT id FROM notes ORDER BY id')).map(({ id }) => id)
}

t.test('the writes of one turn share one commit, at most 256 of them', async (t) => {
  const { add, commits } = await withNotes(t)
  const wanted: [writes: number, commits: number][] = [
    [1, 1],
    [2, 1],
    [100, 1],
    [256, 1],
    [257, 2],
    [600, 3]
  ]
  let id = 0
  for (const [writes, shared] of wanted) {
    const before = commits()
    await Promise.all(Array.from({ length: writes }, () => add(++id)))
    t.equal(commits() - before, shared, `${writes} writes`)
  }
})

t.test('writes that wait for each other have commits of their own', async (t) => {
  const { add, commits } = await withNotes(t)
  const before = commits()
  for (let id = 1; id <= 5; id++) await add(id)
  t.equal(commits() - before, 5)
})

for (const length of [0, 10]) {
  t.test(`writes of at least two turns share a commit, also where a turn takes ${length} ms`, async (t) => {
    const { add, commits } = await withNotes(t)
    const before = commits()
    const writes = []
    for (let id = 1; id <= 100; id++) {
      writes.push(add(id))
      for (const end = performance.now() + length; performance.now() < end;);
      await nextTurn()
    }
    await Promise.all(writes)
    t.ok(commits() - before <= 50, `${commits() - before} commits for 100 writes`)
  })
}

t.test('a write does not wait for ever for those that arrive behind it', async (t) => {
  const { add } = await withNotes(t)
  const settled: number[] = []
  const writes = []
  for (let id = 1; id <= 2_000; id++) {
    writes.push(add(id).then(() => settled.push(id)))
    await nextTurn()
  }
  t.ok(settled.includes(1), `${settled.length} of 2,000 were committed before the last had arrived`)
  await Promise.all(writes)
})

t.test('a write resolves only after its commit, when other programs see it too', async (t) => {
  const { add, durable } = await withNotes(t)
  let resolved = 0
  const writes = Array.from({ length: 300 }, (_, index) =>
    add(index + 1).then(() => {
      resolved++
      if (!durable().includes(index + 1)) t.fail(`${index + 1} was answered before its commit`)
    })
  )
  t.equal(resolved, 0)
  t.same(durable(), [], 'nothing is written in the turn of the calls')
  await Promise.all(writes)
  t.equal(durable().length, 300)
})

t.test('writes take place in the order of their calls', async (t) => {
  const { database } = await withNotes(t)
  const writes = Array.from({ length: 300 }, (_, index) =>
    database.write('INSERT INTO notes (text) VALUES ($1) RETURNING id', [`${index}`])
  )
  t.same(
    (await Promise.all(writes)).map(([row]) => row!.id),
    Array.from({ length: 300 }, (_, index) => index + 1)
  )
})

t.test('one write that fails is undone alone; the others of its group stand', async (t) => {
  const { database, add, durable, commits } = await withNotes(t)
  await add(2)
  const before = commits()
  const outcomes = await Promise.allSettled([
    add(1),
    add(2), // taken
    database.write(INSERT, [3, null]),
    database.write('INSERT INTO nowhere VALUES (1)'),
    database.transaction(async ({ write }) => {
      await write(INSERT, [4, 'undone'])
      throw new Error('changed my mind')
    }),
    database.transaction(async ({ write }) => {
      await write(INSERT, [5, 'undone'])
      await write(INSERT, [2, 'taken'])
    }),
    add(6)
  ])
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected', 'rejected', 'fulfilled']
  )
  t.match(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : '')),
    ['', /UNIQUE/, /NOT NULL/, /no such table/, /changed my mind/, /UNIQUE/, '']
  )
  t.same(durable(), [1, 2, 6])
  t.equal(commits() - before, 1)
})

t.test('when the commit fails, all of its writes reject, nothing is stored, and the next ones work', async (t) => {
  const { database, add, durable } = await withNotes(t)
  const outcomes = await Promise.allSettled([
    add(1),
    database.write('INSERT INTO notes (id, text, parent) VALUES (2, $1, 99)', ['orphan']),
    add(3)
  ])
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected']
  )
  for (const outcome of outcomes) t.match(outcome, { reason: { errcode: FOREIGN_KEY } })
  t.same(durable(), [])
  await add(4)
  t.same(durable(), [4])
})

t.test('a transaction is all or nothing, sees its own writes, and gives back what its work returns', async (t) => {
  const { database, durable } = await withNotes(t)
  const count = await database.transaction(async (queries) => {
    await queries.write(INSERT, [1, 'first'])
    await nextTurn()
    await queries.write(INSERT, [2, 'second'])
    return (await idsIn(queries)).length
  })
  t.equal(count, 2)
  t.same(durable(), [1, 2])
  await t.rejects(
    database.transaction(async ({ write }) => {
      await write('DELETE FROM notes')
      await nextTurn()
      throw new Error('no')
    }),
    new Error('no')
  )
  t.same(durable(), [1, 2])
})

t.test('reads never see what is not committed', async (t) => {
  const { database } = await withNotes(t)
  await database.transaction(async ({ write }) => {
    await write(INSERT, [1, 'first'])
    t.same(await idsIn(database), [])
    await nextTurn()
    t.same(await idsIn(database), [])
  })
  t.same(await idsIn(database), [1])
})

t.test('writes that are called while a transaction waits come after it, and are not undone with it', async (t) => {
  const { database, add, durable } = await withNotes(t)
  let late: Promise<unknown> | undefined
  await t.rejects(
    database.transaction(async ({ write }) => {
      await write(INSERT, [1, 'undone'])
      late = add(2)
      await nextTurn()
      throw new Error('no')
    })
  )
  await late
  t.same(durable(), [2])
})

t.test('close waits for the writes under way', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  const writes = Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      database.write("INSERT INTO pets (name, category_id) VALUES ('Rex', $1)", [index])
    )
  )
  await Promise.all([writes, database.close()])
  const after = new DatabaseSync(path, { readOnly: true })
  t.equal(after.prepare('SELECT count(*) AS pets FROM pets').get().pets, 300)
  after.close()
})
