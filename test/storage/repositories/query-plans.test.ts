import t from 'tap'
import type { ApiKey } from '../../../src/domain/api-keys.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import type { Database, Queries, Row, Value } from '../../../src/storage/database/database.js'
import type { Repositories } from '../../../src/storage/open.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { categoryRepository } from '../../../src/storage/repositories/categories.js'
import { idempotencyRepository } from '../../../src/storage/repositories/idempotency.js'
import { inventoryRepository } from '../../../src/storage/repositories/inventory.js'
import { keyHistoryRepository } from '../../../src/storage/repositories/key-history.js'
import { orderRepository } from '../../../src/storage/repositories/orders.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { addAnswers, deleteOldAnswers, readDays } from '../../../src/storage/usage/daily-table.js'
import { embeddedUsage } from '../../../src/storage/usage/embedded.js'
import { gatherCounts } from '../../../src/storage/usage/gathering.js'
import { raiseCounts } from '../../../src/storage/usage/table.js'
import { databasesUnderTest } from '../../support/databases.js'

/** A call of each method of each repository: one that is not called here does not compile. */
type Calls = {
  [Port in keyof Repositories]: {
    [Method in keyof Repositories[Port]]: (repository: Repositories[Port]) => unknown
  }
}

const NOW = Date.parse('2026-03-04T10:20:00Z')
const HASH = '01'.repeat(32)
const KEY: ApiKey = {
  id: 'key_1',
  kind: 'test',
  name: 'test',
  plan: 'enterprise',
  quota: { perMinute: 1, perDay: 1 },
  last4: 'abcd',
  createdAt: new Date(NOW)
}
const REQUEST = { caller: 'key_1', key: 'a', fingerprint: 'one' }
const ANSWER = { status: 201, headers: {}, body: '{}' }
const PAGE = { limit: 20, after: 7 }

const CALLS: Calls = {
  pets: {
    create: (pets) => pets.create({ name: 'Rex', categoryId: 1, status: 'available' }),
    createAll: (pets) => pets.createAll([{ name: 'Rex', categoryId: 1 }, { name: 'Tom', categoryId: 2 }]),
    find: (pets) => pets.find(1),
    list: (pets) => Promise.all([pets.list(PAGE), pets.list({ ...PAGE, status: 'sold' })])
  },
  categories: {
    create: (categories) => categories.create({ name: 'Dogs' }),
    list: (categories) => categories.list(PAGE)
  },
  inventory: {
    list: (inventory) => Promise.all([inventory.list(PAGE), inventory.list({ ...PAGE, status: 'sold' })]),
    update: (inventory) => inventory.update(1, { quantity: 3 })
  },
  orders: {
    place: async (orders) => {
      for (const quantity of [1, 1, 2, 9]) await orders.place({ petId: 1, quantity })
    },
    cancel: async (orders) => {
      for (const id of [1, 1]) await orders.cancel(id)
    },
    complete: (orders) => orders.complete(2),
    find: (orders) => orders.find(2),
    list: (orders) => orders.list(PAGE)
  },
  apiKeys: {
    create: (apiKeys) => apiKeys.create(KEY, HASH),
    findByHash: (apiKeys) => apiKeys.findByHash(HASH),
    mark: (apiKeys) => apiKeys.mark(),
    find: (apiKeys) => apiKeys.find(KEY.id),
    isEmpty: (apiKeys) => apiKeys.isEmpty(),
    list: (apiKeys) => apiKeys.list(),
    change: (apiKeys) => apiKeys.change(KEY.id, { plan: 'pro', scopes: null, expiresAt: null, ban: null }),
    revoke: (apiKeys) => apiKeys.revoke(KEY.id, new Date(NOW)),
    rotate: (apiKeys) =>
      apiKeys.rotate(
        KEY.id,
        { hash: '02'.repeat(32), last4: 'efgh' },
        { now: new Date(NOW), goodUntil: new Date(NOW + 1), keepOverlaps: true }
      ),
    overlaps: (apiKeys) => apiKeys.overlaps(new Date(NOW))
  },
  usage: {
    // Up to a ban.
    charge: async (usage) => {
      for (let count = 0; count <= 10; count++) await usage.charge(KEY, NOW)
    },
    usageOf: (usage) => usage.usageOf(NOW),
    gather: (usage) => usage.gather(NOW)
  },
  keyHistory: {
    changesOf: (history) => history.changesOf(KEY.id),
    recordedBy: (history) => history.recordedBy('Ada', { now: () => NOW }).change(KEY.id, { name: 'other' })
  },
  dailyUsage: {
    note: (daily) => daily.note(KEY.id, 200, NOW),
    daysFrom: (daily) => daily.daysFrom(KEY.id, NOW)
  },
  idempotency: {
    find: (idempotency) => idempotency.find(REQUEST, NOW),
    once: async (idempotency) => {
      for (let count = 0; count < 2; count++) await idempotency.once(REQUEST, NOW, async () => ANSWER)
    }
  }
}

/** What reads a whole table: the program beside the servers lists it, or looks at the start whether it is empty. */
const WHOLE = ['apiKeys.isEmpty', 'apiKeys.list', 'apiKeys.overlaps', 'usage.gather', 'usage.usageOf']

/** A statement that a method has sent. */
interface Sent {
  method: string
  sql: string
  values: readonly Value[]
}

/** The statements that the repositories send to a database. */
async function sentTo (database: Database): Promise<Sent[]> {
  const sent: Sent[] = []
  let method = ''
  const noting = (queries: Queries): Queries => {
    const note = (run: Queries['read']): Queries['read'] => (sql, values = []) => {
      sent.push({ method, sql, values })
      return run(sql, values)
    }
    return {
      read: note((sql, values) => queries.read(sql, values)),
      write: note((sql, values) => queries.write(sql, values))
    }
  }
  // Without what is kept, every read is sent.
  const noted = atomic({
    ...noting(database),
    transaction: (work) => database.transaction((queries) => work(noting(queries))),
    ping: () => database.ping(),
    close: () => database.close()
  })
  const apiKeys = apiKeyRepository(noted)
  const repositories: Repositories = {
    pets: petRepository(noted),
    categories: categoryRepository(noted),
    orders: orderRepository(noted),
    inventory: inventoryRepository(noted),
    apiKeys,
    keyHistory: keyHistoryRepository(noted, apiKeys),
    usage: { ...embeddedUsage(noted), gather: (now) => gatherCounts(noted, now) },
    dailyUsage: { note: () => {}, daysFrom: (keyId, day) => readDays(noted, keyId, day) },
    idempotency: idempotencyRepository(noted)
  }
  for (const [port, calls] of Object.entries(CALLS)) {
    for (const [name, call] of Object.entries(calls)) {
      method = `${port}.${name}`
      await call(repositories[port as keyof Repositories] as never)
    }
  }
  method = 'raiseCounts'
  const count = { start: NOW, used: 1 }
  await raiseCounts(noted, new Map([[KEY.id, { minute: count, day: count }]]))
  method = 'addAnswers'
  await addAnswers(noted, [{ keyId: KEY.id, day: NOW, kind: '2xx', count: 1 }])
  method = 'deleteOldAnswers'
  await deleteOldAnswers(noted, NOW)
  const distinct = new Map(sent.map((one) => [one.sql, one]))
  // An INSERT finds no rows.
  return [...distinct.values()].filter(({ sql }) => /^\s*(SELECT|UPDATE|DELETE)/.test(sql))
}

/** Fills the tables, so that PostgreSQL knows that reading all of one takes long. */
async function fill (database: Database): Promise<void> {
  const ids = 'SELECT id FROM generate_series(100, 20000) AS ids (id)'
  for (const statement of [
    `INSERT INTO pets (id, name, category_id, status)
     SELECT id, 'Pet', 1, CASE WHEN id % 1000 = 0 THEN 'sold' ELSE 'available' END FROM (${ids}) AS ids`,
    `INSERT INTO orders (id, pet_id, quantity) SELECT id, id, 1 FROM (${ids}) AS ids`,
    `INSERT INTO categories (id, name) SELECT id, 'Category' FROM (${ids}) AS ids`,
    `INSERT INTO api_keys (id, hash, previous_hash, name, plan, last4, created_at)
     SELECT 'key_' || id, int8send(id), int8send(-id), 'test', 'free', 'abcd', id FROM (${ids}) AS ids`,
    `INSERT INTO previous_secrets (key_id, hash, good_until)
     SELECT 'key_' || id, int8send(id), id FROM (${ids}) AS ids`,
    `INSERT INTO usage (key_id, "window", start, used) SELECT 'key_' || id, 'day', id, 1 FROM (${ids}) AS ids`,
    `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at)
     SELECT 'key_1', 'key_' || id, 'one', ${NOW} + id FROM (${ids}) AS ids`,
    `INSERT INTO key_changes (key_id, changed_at, changed_by, action, before, after)
     SELECT 'key_' || id, id, 'Ada', 'plan', '{}', '{}' FROM (${ids}) AS ids`,
    // Some keys have changed often, so that those of the calls above are none that PostgreSQL knows by name.
    `INSERT INTO key_changes (key_id, changed_at, changed_by, action, before, after)
     SELECT 'key_' || id, id, 'server', 'ban', '{}', '{}' FROM generate_series(100, 400) AS ids (id), generate_series(1, 3)`,
    `INSERT INTO daily_answers (key_id, day, kind, answers) SELECT 'key_' || id, ${NOW} + id, '2xx', 1 FROM (${ids}) AS ids`,
    'ANALYZE'
  ]) {
    await database.write(statement)
  }
}

/** The steps of the plan by which SQLite runs a statement. */
async function sqlitePlan (database: Database, { sql, values }: Sent): Promise<string[]> {
  const rows = await database.read(`EXPLAIN QUERY PLAN ${sql}`, values)
  return rows.map(({ detail }) => detail as string)
}

/** The same of PostgreSQL: what each step is, with its index and what it looks at in each row. */
async function postgresPlan (database: Database, { sql, values }: Sent): Promise<string[]> {
  const [row] = await database.read(`EXPLAIN (FORMAT JSON) ${sql}`, values)
  const steps: string[] = []
  const visit = (step: Record<string, any>): void => {
    const filter = step.Filter && `Filter: ${step.Filter}`
    const parts = [step['Node Type'], step['Relation Name'], step['Index Name'], step['Index Cond'], filter]
    steps.push(parts.filter(Boolean).join(' '))
    for (const inner of step.Plans ?? []) visit(inner)
  }
  visit((row as Row & { 'QUERY PLAN': any })['QUERY PLAN'][0].Plan)
  return steps
}

/** How a plan says that it looks at every row of a table, or sorts what it has found. */
const WHOLE_TABLE = { SQLite: /^SCAN|TEMP B-TREE/, PostgreSQL: /^(Seq Scan|Sort|Incremental Sort)/ }
/** How the plan of a page says that it reads from where the page begins and takes each row that it reads. */
const PAGE_ONLY = { SQLite: /id>\?\)$/, PostgreSQL: /^Index Scan (?!.*Filter: ).*\(id > '7'::bigint\)\)?$/ }

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: every statement of the repositories finds its rows by an index, and in their order`, async (t) => {
    const database = await open(t)
    const sent = await sentTo(database)
    if (name === 'PostgreSQL') await fill(database)
    const whole = new Set<string>()
    for (const one of sent) {
      const plan = name === 'SQLite' ? await sqlitePlan(database, one) : await postgresPlan(database, one)
      if (plan.some((step) => WHOLE_TABLE[name].test(step))) whole.add(one.method)
      if (!one.sql.includes('ORDER BY id LIMIT')) continue
      const isOfStatus = one.values.includes('sold')
      const steps = plan.filter((step) => PAGE_ONLY[name].test(step) && step.includes('pets_by_status') === isOfStatus)
      t.equal(steps.length, 1, `${one.method}: ${plan.join(', ')}`)
    }
    t.same([...whole].sort(), WHOLE)
  })
}
