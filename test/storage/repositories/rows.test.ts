import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import type { IsCurrent } from '../../../src/domain/snapshot.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import type { Id, Queries, Row } from '../../../src/storage/database/database.js'
import { rowsOf, type Rows } from '../../../src/storage/repositories/rows.js'
import type { Source } from '../../../src/storage/repositories/statements.js'
import { openedFile } from '../../support/databases.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 200)
/** Rows in the table at first. */
const ROWS = 120

const SOURCE: Source<Row> = {
  table: 'pets',
  columns: 'id, name, status',
  filter: 'status',
  toItem: (row) => ({ ...row })
}
const ALL = 'SELECT id, name, status FROM pets ORDER BY id'
const STATUSES = ['available', 'pending', 'sold', null]

type Change =
  | { kind: 'insert'; id: Id; status: string | null }
  | { kind: 'update'; id: Id; status: string | null }
  | { kind: 'delete'; id: Id }
  | { kind: 'change all'; from: string; to: string }
type Read = { kind: 'find'; id: Id } | { kind: 'list'; after: number; limit: number; status?: string }
/** Changes that are one transaction, with a read after each, and that may be undone in the end. */
interface Transaction {
  changes: { change: Change; read: Read }[]
  undone: boolean
}
/** Transactions of the server, or of another process beside it, that begin at once. */
interface Write {
  kind: 'write'
  by: 'server' | 'cli'
  transactions: Transaction[]
}
type Step = Read | Write

const near = fc.integer({ min: 1, max: ROWS + 20 })
const far = fc.constantFrom<Id>(-1, 1_000, 2 ** 40, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n)
const id: fc.Arbitrary<Id> = fc.oneof({ weight: 3, arbitrary: near }, { weight: 1, arbitrary: far })
const status = fc.constantFrom(...STATUSES)
const stated = fc.constantFrom('available', 'pending', 'sold')
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), id, status }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), id, status }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change all' as const), from: stated, to: stated }) }
)
const find = fc.record({ kind: fc.constant('find' as const), id })
const list = fc.record(
  {
    kind: fc.constant('list' as const),
    after: fc.oneof(fc.constantFrom(0, 10, 35, 60, 110), near, fc.constantFrom(1_000, Number.MAX_SAFE_INTEGER)),
    limit: fc.constantFrom(1, 2, 20, 39, 40, 41, 100),
    status: stated
  },
  { requiredKeys: ['kind', 'after', 'limit'] }
)
const read: fc.Arbitrary<Read> = fc.oneof(find, list, list)
const transaction: fc.Arbitrary<Transaction> = fc.record({
  changes: fc.array(fc.record({ change, read }), { minLength: 1, maxLength: 3 }),
  undone: fc.boolean()
})
const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constant('write' as const),
  by: fc.constantFrom('server', 'server', 'cli'),
  transactions: fc.array(transaction, { minLength: 1, maxLength: 3 })
})
const step: fc.Arbitrary<Step> = fc.oneof(read, read, write)

const path = join(t.testdir(), 'petstore.db')
const server = openedFile(t, path)
const databases = { server: atomic(server), cli: atomic(openedFile(t, path, { owner: false })) }
const ofServer = rowsOf(databases.server, SOURCE)
/** What was read before, by the text of the read. */
const cache = new Map<string, { read: unknown; isCurrent: IsCurrent }>()
let hits = 0

/** What a read must give of these rows, which are all of the table. */
function expected (rows: Row[], read: Read): unknown {
  if (read.kind === 'find') return rows.find((row) => row.id === read.id)
  const { after, limit, status } = read
  const fitting = rows.filter((row) => (row.id as Id) > after && (status === undefined || row.status === status))
  const items = fitting.slice(0, limit)
  return fitting.length > limit ? { items, next: Number(items.at(-1)!.id) } : { items }
}

async function readFrom (rows: Rows<Row>, read: Read): Promise<{ read: unknown; isCurrent: IsCurrent | undefined }> {
  if (read.kind === 'find') {
    const found = await rows.find(read.id)
    return { read: found?.value, isCurrent: found?.isCurrent }
  }
  const { isCurrent, ...page } = await rows.list(read, read.status)
  return { read: page, isCurrent }
}

/** As the service reads: what was read before is used again while it is current. */
async function readCached (read: Read): Promise<unknown> {
  const key = textOf(read)
  const cached = cache.get(key)
  if (cached?.isCurrent()) {
    hits++
    return cached.read
  }
  const { read: value, isCurrent } = await readFrom(ofServer, read)
  if (isCurrent) cache.set(key, { read: value, isCurrent })
  return value
}

/** Throws when rows are not those that the queries read. Nothing comes between the two, as both are asked at once. */
async function compare (given: unknown[], queries: Pick<Queries, 'read'>, read: Read): Promise<void> {
  const rows = queries.read(ALL)
  const wanted = textOf(expected(await rows, read))
  for (const one of given) if (textOf(await one) !== wanted) throw new Error(`${textOf(await one)} instead of ${wanted}`)
}

/** The same for what is cached, asked outside of a transaction. */
function compareOutside (read: Read): Promise<void> {
  return compare([readCached(read)], server, read)
}

function textOf (value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'nothing'
}

async function apply ({ write }: Queries, change: Change): Promise<void> {
  switch (change.kind) {
    case 'insert':
      await write(
        'INSERT INTO pets (id, name, category_id, status) VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING',
        [change.id, `Pet ${change.id}`, change.status]
      )
      break
    case 'update':
      await write("UPDATE pets SET status = $2, name = name || '!' WHERE id = $1", [change.id, change.status])
      break
    case 'delete':
      await write('DELETE FROM pets WHERE id = $1', [change.id])
      break
    case 'change all':
      await write('UPDATE pets SET status = $2 WHERE status = $1', [change.from, change.to])
  }
}

const UNDONE = new Error('undone')

/** Within the transaction, reads see what it has written; around it they do not. */
async function transact (by: Write['by'], { changes, undone }: Transaction): Promise<void> {
  const database = databases[by]
  const work = async (): Promise<void> => {
    for (const { change, read } of changes) {
      await apply(database, change)
      if (by === 'server') {
        const { read: value, isCurrent } = await readFrom(ofServer, read)
        if (isCurrent) throw new Error('What a transaction reads must not be cached.')
        await compare([value], database, read)
      }
    }
    if (undone) throw UNDONE
  }
  await database.atomically(work).catch((error: unknown) => {
    if (error !== UNDONE) throw error
  })
}

async function commit ({ by, transactions }: Write): Promise<void> {
  const reads = transactions.flatMap(({ changes }) =>
    changes.flatMap(({ change, read }) => ('id' in change ? [read, { kind: 'find' as const, id: change.id }] : [read]))
  )
  const compareAll = async (): Promise<void> => {
    for (const read of reads) await compareOutside(read)
  }
  const done = Promise.all(transactions.map((transaction) => transact(by, transaction)))
  await compareAll()
  await done
  // Another process can be heard of in a turn of its own only.
  if (by === 'cli') await nextTurn()
  await compareAll()
}

/** Fills the table anew, beside the server. */
async function fill (): Promise<void> {
  await databases.cli.atomically(async () => {
    await databases.cli.write('DELETE FROM pets')
    await databases.cli.write(
      `WITH RECURSIVE ids (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM ids WHERE id < ${ROWS})
       INSERT INTO pets (id, name, category_id, status)
       SELECT id, 'Pet ' || id, 1, CASE id % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'sold' END FROM ids`
    )
  })
  await nextTurn()
}

t.test(`what is cached while it is current is what the database has, in ${RUNS} random histories of reads and writes`, async (t) => {
  let [reads, writes] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      await fill()
      for (const step of steps) {
        if (step.kind === 'write') {
          writes++
          await commit(step)
        } else {
          reads++
          await compareOutside(step)
        }
      }
    }),
    { numRuns: RUNS }
  )
  t.comment(`${RUNS} histories, ${reads} reads, ${writes} times writes, ${hits} hits, 0 differences`)
  t.ok(hits > reads / 10, 'and some of it was')
})
