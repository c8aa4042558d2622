import t from 'tap'
import type { NewOrder, Order } from '../../../src/domain/orders.js'
import type { NewPet } from '../../../src/domain/pets.js'
import type { Database } from '../../../src/storage/database/database.js'
import { inventoryRepository } from '../../../src/storage/repositories/inventory.js'
import { orderRepository } from '../../../src/storage/repositories/orders.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { databasesUnderTest } from '../../support/databases.js'
import { contentOf } from '../../support/page.js'

/** One pet with the id 1, so many of it in stock. */
async function withPet (database: Database, quantity: number, pet: Partial<NewPet> = { status: 'available' }) {
  await petRepository(database).create({ name: 'Rex', categoryId: 1, ...pet })
  const inventory = inventoryRepository(database)
  await inventory.update(1, { quantity })
  return {
    orders: orderRepository(database),
    inventory,
    stock: async () => {
      const [row] = (await inventory.list({ limit: 1 })).items
      return [row!.quantity, row!.status]
    }
  }
}

const placed = (outcome: unknown): outcome is Order => typeof outcome === 'object'

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: an order comes back as it was placed, under ids that begin at 1 and grow`, async (t) => {
    const { orders, stock } = await withPet(await open(t), 10)
    t.same(contentOf(await orders.list({ limit: 20 })), { items: [] })
    const wanted: NewOrder[] = [
      { petId: 1, quantity: 1 },
      { petId: 1, quantity: 7, shipDate: '2027-01-31T12:00:00.500+05:30' },
      { petId: 1, quantity: 2 }
    ]
    const stored = wanted.map((order, index) => ({ id: index + 1, ...order, complete: false }))
    for (const [index, order] of wanted.entries()) t.strictSame(await orders.place(order), stored[index])
    t.strictSame(contentOf(await orders.list({ limit: 20 })), { items: stored })
    t.strictSame(contentOf(await orders.list({ limit: 1, after: 1 })), { items: [stored[1]], next: 2 })
    t.same(await stock(), [0, 'pending'])
  })

  t.test(`${name}: an order that is not taken says why, and changes nothing`, async (t) => {
    const database = await open(t)
    const { orders, stock } = await withPet(database, 3)
    for (const petId of [0, -1, 2, 9223372036854775807n, -9223372036854775808n]) {
      t.equal(await orders.place({ petId, quantity: 1 }), 'unknown pet', String(petId))
    }
    t.equal(await orders.place({ petId: 1, quantity: 4 }), 'too few in stock')
    t.same(await stock(), [3, 'available'])
    await petRepository(database).create({ name: 'Ada', categoryId: 1, status: 'sold' })
    for (const quantity of [1, 2]) t.equal(await orders.place({ petId: 2, quantity }), 'sold')
    t.same(contentOf(await orders.list({ limit: 1 })), { items: [] })
  })

  t.test(`${name}: of orders placed at the same time as many are taken as there is stock`, async (t) => {
    const { orders, stock } = await withPet(await open(t), 5)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => orders.place({ petId: 1, quantity: 1 })))
    t.equal(outcomes.filter(placed).length, 5)
    t.equal(outcomes.filter((outcome) => outcome === 'too few in stock').length, 15)
    t.same(await stock(), [0, 'pending'])
  })

  t.test(`${name}: cancelling removes the order and gives the stock back, once`, async (t) => {
    const { orders, stock } = await withPet(await open(t), 3)
    await orders.place({ petId: 1, quantity: 3 })
    t.same((await Promise.all([orders.cancel(1), orders.cancel(1), orders.cancel(1)])).sort(), [
      'cancelled',
      'unknown order',
      'unknown order'
    ])
    t.same([await stock(), contentOf(await orders.list({ limit: 1 }))], [[3, 'available'], { items: [] }])
    for (const id of [0, -1, 9223372036854775807n]) t.equal(await orders.cancel(id), 'unknown order', String(id))
    t.match(
      await orders.place({ petId: 1, quantity: 1 }),
      { id: 2 },
      'the id of a cancelled order is not given out again'
    )
  })

  t.test(`${name}: a complete order cannot be cancelled, and completing it again changes nothing`, async (t) => {
    const { orders, inventory, stock } = await withPet(await open(t), 2)
    await orders.place({ petId: 1, quantity: 1 })
    for (let i = 0; i < 2; i++) t.strictSame(await orders.complete(1), { id: 1, petId: 1, quantity: 1, complete: true })
    t.equal(await orders.cancel(1), 'complete')
    t.same(await stock(), [1, 'available'])
    await inventory.update(1, { quantity: 0 })
    await orders.complete(1)
    t.same(await stock(), [0, 'pending'], 'it is not this order that sold it out')
    t.equal(await orders.complete(2), undefined)
  })

  for (const status of ['available', 'pending', undefined] as const) {
    t.test(
      `${name}: the last open order that is completed with nothing in stock makes a pet sold that was ${status ?? 'without a status'}`,
      async (t) => {
        const { orders, inventory, stock } = await withPet(await open(t), 3, status ? { status } : {})
        for (let i = 0; i < 3; i++) await orders.place({ petId: 1, quantity: 1 })
        await orders.complete(1)
        t.same(await stock(), [0, status && 'pending'], 'two orders are open')
        await orders.cancel(2)
        await orders.complete(3)
        t.same(await stock(), [1, status], 'one is in stock')
        await orders.place({ petId: 1, quantity: 1 })
        await orders.complete(4)
        t.same(await stock(), [0, 'sold'])
        t.match(await inventory.update(1, { quantity: 2 }), { status: 'sold' })
        t.equal(await orders.place({ petId: 1, quantity: 1 }), 'sold')
      }
    )
  }

  t.test(`${name}: the open orders of one pet do not keep another from being sold`, async (t) => {
    const database = await open(t)
    const { orders, inventory } = await withPet(database, 1)
    await petRepository(database).create({ name: 'Ada', categoryId: 1, status: 'available' })
    await orders.place({ petId: 1, quantity: 1 })
    await orders.place({ petId: 2, quantity: 1 })
    await orders.complete(2)
    t.same(
      (await inventory.list({ limit: 2 })).items.map(({ status }) => status),
      ['pending', 'sold']
    )
  })

  t.test(`${name}: stock given back beyond the largest that can be set is exact`, async (t) => {
    const { orders, inventory, stock } = await withPet(await open(t), 2147483647)
    await orders.place({ petId: 1, quantity: 2147483647 })
    await inventory.update(1, { quantity: 2147483647 })
    await orders.cancel(1)
    t.same(await stock(), [4294967294, 'available'])
  })

  t.test(`${name}: neither half of an order is there when the other fails`, async (t) => {
    const database = await open(t)
    const { orders, stock } = await withPet(database, 2)
    await orders.place({ petId: 1, quantity: 1 })
    const failing = (pattern: RegExp): Database =>
      ({
        ...database,
        transaction: (work) =>
          database.transaction(({ read, write }) =>
            work({
              read,
              write: async (sql, values) =>
                pattern.test(sql) ? await read('SELECT nothing') : await write(sql, values)
            })
          )
      }) as Database
    await t.rejects(orderRepository(failing(/^INSERT INTO orders/)).place({ petId: 1, quantity: 1 }))
    await t.rejects(orderRepository(failing(/^UPDATE pets/)).cancel(1))
    await t.rejects(orderRepository(failing(/^UPDATE pets SET status/)).complete(1))
    t.same(
      [await stock(), contentOf(await orders.list({ limit: 20 }))],
      [[1, 'available'], { items: [{ id: 1, petId: 1, quantity: 1, complete: false }] }]
    )
  })
}
