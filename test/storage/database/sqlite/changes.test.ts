import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connect } from '../../../../src/storage/database/sqlite/connection.js'
import { openedFile } from '../../../support/databases.js'

const INSERT = 'INSERT INTO pets (name, category_id) VALUES ($1, 1) RETURNING id'

/** A database file of a server, what was told of its pets, and the same file as the CLI opens it beside. */
function watchedPets (t: Test) {
  const path = join(t.testdir(), 'petstore.db')
  const [server, cli] = [openedFile(t, path), openedFile(t, path, { owner: false })]
  const told: (number | undefined)[] = []
  server.local!.watch('pets', (id) => told.push(id))
  return { path, server, cli, told }
}

t.test('a listener is told each row that a commit changes, before its writes resolve', async (t) => {
  const { server, told } = watchedPets(t)
  const writes = ['a', 'b'].map((name) => server.write(INSERT, [name]).then(() => told.length))
  t.same(await Promise.all(writes), [2, 2])
  await server.write("UPDATE pets SET name = 'c'")
  await server.write('DELETE FROM pets WHERE id = 2')
  t.same(told, [1, 2, 1, 2, 2])
})

t.test('each listener is told of the rows of its table, also one that comes later', async (t) => {
  const { server, told } = watchedPets(t)
  const later: (number | undefined)[] = []
  const categories: (number | undefined)[] = []
  await server.write(INSERT, ['a'])
  server.local!.watch('pets', (id) => later.push(id))
  server.local!.watch('categories', (id) => categories.push(id))
  await server.transaction(async ({ write }) => {
    await write("INSERT INTO categories (id, name) VALUES (7, 'Dogs')")
    await write(INSERT, ['b'])
  })
  t.same([told, later, categories], [[1, 2], [2], [7]])
})

t.test('of a commit by another process a listener is told that there was one, in a later turn', async (t) => {
  const { server, cli, told } = watchedPets(t)
  await cli.write(INSERT, ['a'])
  await nextTurn()
  server.local!.catchUp()
  server.local!.catchUp()
  t.same(told, [undefined])
})

t.test('who goes on after a write leaves nothing unheard for the requests that come in right after it', async (t) => {
  const { path, server, told } = watchedPets(t)
  const beside = connect(path)
  t.teardown(() => beside.close())
  await server.write(INSERT, ['a'])
  server.local!.catchUp()
  beside.exec("UPDATE pets SET name = 'b'")
  // A timer that is due comes before the next immediates, as requests do that have arrived.
  const next = new Promise<void>((resolve) => setTimeout(resolve, 1))
  for (const begin = performance.now(); performance.now() < begin + 3;);
  await next
  server.local!.catchUp()
  t.same(told, [1, undefined])
})

t.test('what this process commits is no commit by another', async (t) => {
  const { server, told } = watchedPets(t)
  await server.write(INSERT, ['a'])
  await nextTurn()
  server.local!.catchUp()
  t.same(told, [1])
})

t.test('an id that no number holds is rounded to the nearest', async (t) => {
  const { server, told } = watchedPets(t)
  await server.write('INSERT INTO pets (id, name, category_id) VALUES ($1, $2, 1)', [9007199254740993n, 'a'])
  t.same(told, [9007199254740992])
})

t.test('the CLI keeps nothing in memory, and neither does a transaction', async (t) => {
  const { cli } = watchedPets(t)
  t.equal(cli.local, undefined)
})
