import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connect } from '../../../../src/storage/database/sqlite/connection.js'
import { openedFile } from '../../../support/databases.js'

const INSERT = 'INSERT INTO pets (name, category_id) VALUES ($1, 1) RETURNING id'

/** A database file of a server with ten pets, what marks the state of these, and the same file as the CLI opens it. */
async function watchedPets (t: Test) {
  const path = join(t.testdir(), 'petstore.db')
  const [server, cli] = [openedFile(t, path), openedFile(t, path, { owner: false })]
  const mark = server.local!.watch('pets')
  for (let count = 0; count < 10; count++) await server.write(INSERT, ['a'])
  return { path, server, cli, mark }
}

t.test('a commit changes the ranges in which its rows are, before its writes resolve', async (t) => {
  const { server, mark } = await watchedPets(t)
  const ranges = [[1, 2], [3, 3], [4, 10], [11, Infinity]] as const
  const changedBy = async (sql: string): Promise<boolean[]> => {
    const unchanged = ranges.map(([first, last]) => mark()(first, last))
    await server.write(sql)
    return unchanged.map((isCurrent) => !isCurrent())
  }
  t.same(await changedBy("UPDATE pets SET name = 'b' WHERE id = 3"), [false, true, false, false])
  t.same(await changedBy('DELETE FROM pets WHERE id = 2'), [true, false, false, false])
  t.same(await changedBy("INSERT INTO pets (name, category_id) VALUES ('c', 1)"), [false, false, false, true])
  t.same(await changedBy("UPDATE pets SET name = 'd' WHERE id > 3"), [false, false, true, true])
  t.same(await changedBy("INSERT INTO categories (id, name) VALUES (3, 'Dogs')"), [false, false, false, false])
})

t.test('what has changed stays changed, and what has not stays current over many other changes', async (t) => {
  const { server, mark } = await watchedPets(t)
  const [first, last] = [mark()(1, 1), mark()(10, 10)]
  await server.write("UPDATE pets SET name = 'b' WHERE id = 1")
  for (let count = 0; count < 300; count++) {
    await server.write("UPDATE pets SET name = name || 'b' WHERE id BETWEEN 2 AND 9")
    await server.write("UPDATE pets SET name = 'b' WHERE id BETWEEN 2 AND 9")
    t.same([first(), last()], [false, true])
  }
  const unread = mark()(10, 10)
  for (let count = 0; count < 600; count++) await server.write("UPDATE pets SET name = 'b' WHERE id BETWEEN 2 AND 9")
  t.notOk(unread(), 'after more changes than are remembered, it counts as changed')
})

t.test('a commit by another process changes everything, in a later turn', async (t) => {
  const { server, cli, mark } = await watchedPets(t)
  const marked = mark()(1, 1)
  await cli.write("UPDATE pets SET name = 'b' WHERE id = 10")
  await nextTurn()
  t.notOk(marked())
  t.ok(mark()(1, 1)())
  await server.write(INSERT, ['a'])
  await nextTurn()
  t.ok(mark()(1, 1)(), 'a commit of this process is not one by another')
})

t.test('a commit by another process is noticed by the requests that come in right after it', async (t) => {
  const { path, server, mark } = await watchedPets(t)
  const beside = connect(path)
  t.teardown(() => beside.close())
  await server.write(INSERT, ['a'])
  const marked = mark()(1, 1)
  beside.exec("UPDATE pets SET name = 'b'")
  // A timer that is due comes before the next immediates, as requests do that have arrived.
  const next = new Promise<void>((resolve) => setTimeout(resolve, 1))
  for (const begin = performance.now(); performance.now() < begin + 3;);
  await next
  t.notOk(marked())
})

t.test('while the database cannot be read, nothing is current', async (t) => {
  const { path, cli, mark } = await watchedPets(t)
  const marked = mark()(1, 1)
  await cli.write("UPDATE pets SET name = 'b' WHERE id = 1")
  await nextTurn()
  const header = readFileSync(path).subarray(0, 100)
  overwrite(path, Buffer.alloc(header.length))
  for (const question of [marked, marked, mark]) t.throws(question, { name: 'StorageUnavailable' })
  overwrite(path, header)
  // Has SQLite read the first page again.
  await cli.write(INSERT, ['a'])
  t.notOk(marked())
})

t.test('an id that no number holds exactly changes its range', async (t) => {
  const { server, mark } = await watchedPets(t)
  const id = 9007199254740993n
  const marked = [mark()(id, id), mark()(id + 1_000n, Infinity), mark()(1, 10)]
  await server.write('INSERT INTO pets (id, name, category_id) VALUES ($1, $2, 1)', [id, 'a'])
  t.same(marked.map((isCurrent) => isCurrent()), [false, true, true])
})

t.test('neither the CLI nor a transaction can tell what is current', async (t) => {
  const { cli } = await watchedPets(t)
  t.equal(cli.local, undefined)
})

/** Overwrites the beginning of a file, as a broken disk may. */
function overwrite (path: string, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
}
