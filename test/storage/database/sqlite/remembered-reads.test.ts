import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { RememberedReads } from '../../../../src/storage/database/sqlite/remembered-reads.js'
import { openedFile } from '../../../support/databases.js'

const INSERT = 'INSERT INTO pets (name, category_id) VALUES ($1, 1) RETURNING id'
const COUNT = 'SELECT count(*) AS pets FROM pets'

t.test('a read sees every write that was answered before it, of this process and of another connection', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const [server, cli] = [openedFile(t, path), openedFile(t, path, { owner: false })]
  let written = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('server', 'cli', 'both', 'read'), { maxLength: 20 }), async (steps) => {
      for (const step of steps) {
        if (step === 'server' || step === 'both') {
          await Promise.all([server.write(INSERT, ['a']), server.read(COUNT), server.write(INSERT, ['b'])])
          written += 2
        }
        if (step === 'cli' || step === 'both') {
          await cli.write(INSERT, ['c'])
          written++
          // What another process was told of reaches this one in a later turn of its event loop.
          await nextTurn()
        }
        t.same(await server.read(COUNT), [{ pets: written }])
      }
    }),
    { numRuns: 30 }
  )
})

t.test('a write that fails changes nothing that is read', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  await database.write(INSERT, ['a'])
  await database.read(COUNT)
  await t.rejects(
    database.transaction(async ({ write }) => {
      await write(INSERT, ['b'])
      throw new Error('undone')
    })
  )
  t.same(await database.read(COUNT), [{ pets: 1 }])
})

t.test('only the same statement with the same values, of the same types, is read once', async (t) => {
  const remembered = new RememberedReads()
  const all = [
    ['SELECT $1', ['1']],
    ['SELECT $1', [1]],
    ['SELECT $1', [1n]],
    ['SELECT $1', [Buffer.from('1')]],
    ['SELECT $1', [null]],
    ['SELECT $1', ['null']],
    ['SELECT $1', ['a', 'b']],
    ['SELECT $1', ['a\0s1:b']],
    ['SELECT $1', []],
    ['SELECT $2', ['1']]
  ] as const
  let reads = 0
  const read = () => [{ read: ++reads }]
  const first = all.map(([sql, values]) => remembered.rowsOf(1, sql, values, read))
  t.equal(reads, all.length)
  t.same(all.map(([sql, values]) => remembered.rowsOf(1, sql, values, read)), first)
  t.equal(reads, all.length)
  remembered.rowsOf(2, 'SELECT $1', ['1'], read)
  t.equal(reads, all.length + 1, 'after a commit it is read again')
})

t.test('what is remembered is bounded in bytes', async (t) => {
  const remembered = new RememberedReads()
  const megabyte = [{ text: 'x'.repeat(512 * 1024) }]
  let reads = 0
  const read = () => {
    reads++
    return megabyte
  }
  for (let value = 0; value < 40; value++) remembered.rowsOf(1, 'SELECT $1', [value], read)
  remembered.rowsOf(1, 'SELECT $1', [0], read)
  t.equal(reads, 41, 'the first was forgotten')
})
