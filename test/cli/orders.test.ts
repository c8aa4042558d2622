import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startProgram, type Ended } from '../../scripts/cluster/program.js'
import { openStorage, type Repositories } from '../../src/storage/open.js'
import { emptyDatabase, runInProcess } from './in-process.js'

const databaseOf = (t: Test) => ({ DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` })
const lastLine = ({ stdout }: Ended) => JSON.parse(stdout.trimEnd().split('\n').at(-1)!)

async function within (url: string, work: (repositories: Repositories) => Promise<void>): Promise<void> {
  const storage = await openStorage(url, { owner: true })
  await work(storage.repositories)
  await storage.close()
}

t.test('orders list shows every order, and orders complete completes one', async (t) => {
  const database = emptyDatabase(t)
  t.match(await runInProcess(['orders', 'list'], database), { code: 0, stderr: '', stdout: 'There are no orders.\n' })
  t.same(lastLine(await runInProcess(['orders', 'list', '--json'], database)), { orders: [] })
  await within(database.DATABASE_URL, async ({ pets, orders, inventory }) => {
    await pets.create({ name: 'Rex', categoryId: 7, status: 'available' })
    await inventory.update(1, { quantity: 2_000 })
    for (const order of [
      { petId: 1, quantity: 2, shipDate: '2027-01-31T12:00:00Z' },
      { petId: 1, quantity: 1 }
    ]) {
      await orders.place(order)
    }
  })
  t.match(await runInProcess(['orders', 'complete', '2'], database), {
    code: 0,
    stderr: '',
    stdout: 'Order 2 is complete: 1 of pet 1.\n'
  })
  const { stdout } = await runInProcess(['orders', 'list'], database)
  t.equal(
    stdout,
    [
      'ID  PET  QUANTITY  SHIP DATE             STATE',
      '1   1    2         2027-01-31T12:00:00Z  open',
      '2   1    1                               complete\n'
    ].join('\n')
  )

  await within(database.DATABASE_URL, async ({ orders }) => {
    await Promise.all(Array.from({ length: 1_100 }, () => orders.place({ petId: 1, quantity: 1 })))
  })
  const all = lastLine(await runInProcess(['orders', 'list', '--json'], database)).orders
  t.same(
    all.map(({ id }: { id: number }) => id),
    Array.from({ length: 1_102 }, (_, index) => index + 1),
    'however many there are'
  )
  t.same(all[0], { id: 1, petId: 1, quantity: 2, shipDate: '2027-01-31T12:00:00Z', complete: false })
})

t.test('a running server shows a completed order and its sold animal with the very next request', async (t) => {
  const database = emptyDatabase(t)
  const { root } = await startProgram(t, database)
  const { key } = lastLine(await runInProcess(['keys', 'create', '--json'], database))
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${root}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {})
    })
    return (await response.json()) as any
  }
  await call('POST', '/pets', { name: 'Rex', categoryId: 7, status: 'available' })
  await call('POST', '/store/orders', { petId: 1 })
  t.same(await call('GET', '/pets'), [{ id: 1, name: 'Rex', categoryId: 7, status: 'pending' }])
  for (let i = 0; i < 2; i++) {
    t.same(
      lastLine(await runInProcess(['orders', 'complete', '1', '--json'], database)),
      { id: 1, petId: 1, quantity: 1, complete: true },
      'a second time changes nothing'
    )
  }
  t.same(await call('GET', '/pets'), [{ id: 1, name: 'Rex', categoryId: 7, status: 'sold' }])
  t.same(await call('GET', '/store/orders'), [{ id: 1, petId: 1, quantity: 1, complete: true }])
})

t.test('an unknown order is told with exit code 1', async (t) => {
  t.match(await runInProcess(['orders', 'complete', '42'], emptyDatabase(t)), {
    code: 1,
    stdout: '',
    stderr: "petstore: There is no order with the id '42'.\n"
  })
})

t.test('wrong words are told in a sentence, with exit code 2, and leave no database behind', async (t) => {
  const database = databaseOf(t)
  const wanted: [args: string[], says: RegExp][] = [
    [['complete'], /missing required argument 'id'/],
    ...['0', 'x', '1.5', '01'].map((id): [string[], RegExp] => [
      ['complete', id],
      /argument 'id'\. It must be a whole number, 1 or more\./
    ]),
    [['cancel', '1'], /unknown command 'cancel'/]
  ]
  for (const [args, says] of wanted) {
    const { code, stdout, stderr } = await runInProcess(['orders', ...args], database)
    t.same({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
    t.match(stderr, says)
  }
  t.notOk(existsSync(database.DATABASE_URL.slice(7)))
})
