import { join } from 'node:path'
import t from 'tap'
import type { PetStatus } from '../../../src/domain/pets.js'
import type { Database, Run } from '../../../src/storage/database/database.js'
import { inventoryRepository } from '../../../src/storage/repositories/inventory.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { databasesUnderTest, openedFile } from '../../support/databases.js'
import { isOnPostgres } from '../../support/storage-under-test.js'
import { contentOf } from '../../support/page.js'

const STATUSES: (PetStatus | undefined)[] = ['available', 'pending', 'sold', undefined]

/** Pets 1 to 4: available, pending, sold, and without a status. */
async function withPets (database: Database) {
  const pets = petRepository(database)
  for (const status of STATUSES) await pets.create({ name: 'Pet', categoryId: 1, ...(status && { status }) })
  return { pets, inventory: inventoryRepository(database) }
}

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: of a new pet one is in stock`, async (t) => {
    const { inventory } = await withPets(await open(t))
    t.strictSame(contentOf(await inventory.list({ limit: 20 })), {
      items: STATUSES.map((status, index) => ({ petId: index + 1, quantity: 1, ...(status && { status }) }))
    })
  })

  t.test(
    `${name}: update sets the stock of one pet, and there is none to set of a pet that is not there`,
    async (t) => {
      const { inventory } = await withPets(await open(t))
      for (const quantity of [0, 1, 5, 2147483647]) {
        t.strictSame(await inventory.update(2, { quantity }), { petId: 2, quantity, status: 'pending' })
      }
      t.same(
        (await inventory.list({ limit: 20 })).items.map(({ quantity }) => quantity),
        [1, 2147483647, 1, 1]
      )
      for (const petId of [0, -1, 5, 9223372036854775807n, -9223372036854775808n]) {
        t.equal(await inventory.update(petId, { quantity: 1 }), undefined, String(petId))
      }
      await t.rejects(inventory.update(1, { quantity: -1 }), /check/i)
    }
  )

  t.test(
    `${name}: an available pet that is not in stock is pending wherever it is shown, and available again with the stock; no other status moves`,
    async (t) => {
      const { pets, inventory } = await withPets(await open(t))
      const shown: [quantity: number, statuses: (PetStatus | undefined)[]][] = [
        [0, ['pending', 'pending', 'sold', undefined]],
        [2, STATUSES]
      ]
      for (const [quantity, statuses] of shown) {
        for (const [index, status] of statuses.entries()) {
          t.equal((await inventory.update(index + 1, { quantity }))?.status, status)
          t.equal((await pets.find(index + 1))?.value.status, status)
        }
        for (const wanted of ['available', 'pending', 'sold'] as const) {
          const ids = statuses.flatMap((status, index) => (status === wanted ? [index + 1] : []))
          t.same(
            (await inventory.list({ limit: 20, status: wanted })).items.map(({ petId }) => petId),
            ids,
            wanted
          )
          t.same(
            (await pets.list({ limit: 20, status: wanted })).items.map(({ id }) => id),
            ids,
            wanted
          )
        }
      }
    }
  )

  t.test(`${name}: a list has at most limit pets behind after, and tells whether more follow`, async (t) => {
    const { inventory } = await withPets(await open(t))
    const ids = async (filter: Parameters<typeof inventory.list>[0]) => {
      const { items, next } = await inventory.list(filter)
      return [items.map(({ petId }) => petId), next]
    }
    t.same(await ids({ limit: 3 }), [[1, 2, 3], 3])
    t.same(await ids({ limit: 3, after: 3 }), [[4], undefined])
    t.same(await ids({ limit: 1, after: 1, status: 'sold' }), [[3], undefined])
  })
}

if (!isOnPostgres(t)) {
  t.test('SQLite: a list by status reads the index and not every pet', async (t) => {
    const database = openedFile(t, join(t.testdir(), 'petstore.db'))
    const plans: string[] = []
    const read: Run = async (sql, values) => {
      plans.push(...(await database.read(`EXPLAIN QUERY PLAN ${sql}`, values)).map(({ detail }) => String(detail)))
      return []
    }
    const spied = { read } as Database
    await petRepository(spied).list({ limit: 20, status: 'pending' })
    await inventoryRepository(spied).list({ limit: 20, status: 'pending' })
    t.same(plans, Array(2).fill('SEARCH pets USING INDEX pets_by_status (<expr>=? AND id>?)'))
  })
}
