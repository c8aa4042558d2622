import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import t from 'tap'
import { atomic } from '../../../src/storage/database/atomic.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { databasesUnderTest } from '../../support/databases.js'

const pet = (name: string) => ({ name, categoryId: 1 })

for (const [name, open] of databasesUnderTest(t)) {
  const pets = async (t: Parameters<typeof open>[0]) => {
    const database = atomic(await open(t))
    const repository = petRepository(database)
    const names = async () => (await repository.list({ limit: 100 })).items.map((item) => item.name)
    return { database, create: (name: string) => repository.create(pet(name)), names }
  }

  t.test(`${name}: what repositories write in a unit of work is there together, and seen in it before`, async (t) => {
    const { database, create, names } = await pets(t)
    const result = await database.atomically(async () => {
      await create('one')
      await database.write("INSERT INTO pets (name, category_id) VALUES ('two', 1)")
      t.same(await names(), ['one', 'two'])
      return 'done'
    })
    t.equal(result, 'done')
    t.same(await names(), ['one', 'two'])
  })

  t.test(`${name}: or not at all, when the work fails`, async (t) => {
    const { database, create, names } = await pets(t)
    await t.rejects(
      database.atomically(async () => {
        await create('one')
        throw new Error('changed my mind')
      }),
      new Error('changed my mind')
    )
    t.same(await names(), [])
  })

  t.test(`${name}: nor is a part of it there when the work goes on after a statement that failed`, async (t) => {
    const { database, create, names } = await pets(t)
    const outcome = await database
      .atomically(async () => {
        await create('before')
        await database.write("INSERT INTO pets (id, name, category_id) VALUES (1, 'taken', 1)").catch(() => {})
        await create('after').catch(() => {})
      })
      .then(
        () => ['before', 'after'],
        () => []
      )
    t.same(await names(), outcome)
  })

  t.test(`${name}: others neither see what is under way nor take part in it`, async (t) => {
    const { database, create, names } = await pets(t)
    let other: Promise<unknown> | undefined
    const outside = AsyncLocalStorage.snapshot()
    await t.rejects(
      database.atomically(async () => {
        await create('undone')
        other = outside(() => create('other'))
        t.notOk((await outside(names)).includes('undone'))
        throw new Error('no')
      })
    )
    await other
    t.same(await names(), ['other'])
  })

  t.test(`${name}: units at the same time stand or fall alone`, async (t) => {
    const { database, create, names } = await pets(t)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        database.atomically(async () => {
          await create(`pet ${index}`)
          if (index % 3 === 0) throw new Error('no')
        })
      )
    )
    t.same(
      outcomes.map(({ status }) => status === 'fulfilled'),
      Array.from({ length: 50 }, (_, index) => index % 3 !== 0)
    )
    t.same((await names()).length, 33)
  })

  t.test(
    `${name}: a transaction or a unit inside is a part: undone alone when it fails, with the whole when that fails`,
    async (t) => {
      const { database, create, names } = await pets(t)
      await database.atomically(async () => {
        await create('kept')
        await t.rejects(
          database.transaction(async ({ write }) => {
            await write("INSERT INTO pets (name, category_id) VALUES ('undone', 1)")
            throw new Error('no')
          }),
          new Error('no')
        )
        await database.transaction(({ write }) => write("INSERT INTO pets (name, category_id) VALUES ('part', 1)"))
        await database.atomically(() => create('unit'))
      })
      t.same(await names(), ['kept', 'part', 'unit'])
      await t.rejects(
        database.atomically(async () => {
          await database.transaction(({ write }) =>
            write("INSERT INTO pets (name, category_id) VALUES ('part too', 1)")
          )
          throw new Error('no')
        })
      )
      t.same(await names(), ['kept', 'part', 'unit'])
    }
  )

  t.test(`${name}: what goes on after its unit is a write of its own`, async (t) => {
    const { database, create, names } = await pets(t)
    let end!: () => void
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let late: Promise<unknown> | undefined
    await t.rejects(
      database.atomically(async () => {
        late = ended.then(() => create('late'))
        throw new Error('no')
      })
    )
    end()
    await late
    t.same(await names(), ['late'])
  })

  t.test(`${name}: once no unit is under way, nothing asynchronous of the process carries one`, async (t) => {
    const { database, create } = await pets(t)
    // Node 20 and 22 keep what a storage has for it in a property of each resource.
    const propertiesNow = () => Reflect.ownKeys(new AsyncResource('test')).length
    const before = propertiesNow()
    await database.atomically(() => create('one'))
    t.equal(propertiesNow(), before)
  })

  t.test(`${name}: the work runs in the asynchronous context of its caller`, async (t) => {
    const { database } = await pets(t)
    const caller = new AsyncLocalStorage<number>()
    const seen = await Promise.all(
      [1, 2, 3].map((number) => caller.run(number, () => database.atomically(async () => caller.getStore())))
    )
    t.same(seen, [1, 2, 3])
  })
}
