import t from 'tap'
import type { NewPet, Pet } from '../../../src/domain/pets.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { databasesUnderTest } from '../../support/databases.js'
import { contentOf } from '../../support/page.js'

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: a pet comes back as it was stored, under ids that begin at 1 and grow`, async (t) => {
    const pets = petRepository(await open(t))
    const wanted: NewPet[] = [
      { name: 'Rex', categoryId: 7 },
      { name: 'Luna', categoryId: 0, status: 'available' },
      { name: 'Kiwi', categoryId: -1, status: 'pending' },
      { name: 'Toby', categoryId: 1, status: 'sold' },
      { name: 'a', categoryId: 1 },
      { name: '犬 🐶 Zoë e\u0301', categoryId: 1 },
      { name: "Robert'); DROP TABLE pets;-- $1 ?", categoryId: 1 },
      { name: ' blanks at both ends ', categoryId: 1 },
      { name: '12', categoryId: 1 },
      { name: 'x'.repeat(16_000), categoryId: 1 },
      { name: 'the largest exact number', categoryId: Number.MAX_SAFE_INTEGER },
      { name: 'one more', categoryId: 9007199254740993n as unknown as number },
      { name: 'the largest', categoryId: 9223372036854775807n as unknown as number },
      { name: 'the smallest', categoryId: -9223372036854775808n as unknown as number }
    ]
    for (const [index, pet] of wanted.entries()) {
      const stored = await pets.create(pet)
      t.strictSame(stored, { id: index + 1, ...pet })
      t.strictSame((await pets.find(stored.id))?.value, stored)
    }
    t.strictSame(
      (await pets.list({ limit: 100 })).items,
      wanted.map((pet, index) => ({ id: index + 1, ...pet }))
    )
  })

  t.test(`${name}: many pets are stored together in their order, by one statement, all of them or none`, async (t) => {
    const database = await open(t)
    const statements: string[] = []
    const pets = petRepository({
      ...atomic(database),
      write: (sql, values) => {
        statements.push(sql)
        return database.write(sql, values)
      }
    })
    const wanted: NewPet[] = Array.from({ length: 500 }, (_, index) => ({
      name: `Pet ${index + 1}`,
      categoryId: index,
      ...(index % 2 ? { status: 'sold' } : {})
    }))
    await pets.createAll(wanted)
    t.equal(statements.length, 1)
    t.strictSame(
      (await pets.list({ limit: 600 })).items,
      wanted.map((pet, index) => ({ id: index + 1, ...pet }))
    )
    await t.rejects(pets.createAll([{ name: 'Rex', categoryId: 7 }, { name: null as unknown as string, categoryId: 7 }]))
    t.equal((await pets.list({ limit: 600 })).items.length, 500)
  })

  t.test(`${name}: there is no pet under an id that was not given out`, async (t) => {
    const pets = petRepository(await open(t))
    await pets.create({ name: 'Rex', categoryId: 7 })
    for (const id of [0, -1, 2, Number.MAX_SAFE_INTEGER, 9223372036854775807n, -9223372036854775808n]) {
      t.equal(await pets.find(id as Pet['id']), undefined, String(id))
    }
  })

  t.test(
    `${name}: a list has at most limit pets behind after, in id order, and tells whether more follow`,
    async (t) => {
      const pets = petRepository(await open(t))
      t.strictSame(contentOf(await pets.list({ limit: 20 })), { items: [] })
      for (let i = 1; i <= 10; i++) {
        await pets.create({ name: `Pet ${i}`, categoryId: 1, ...(i % 2 ? { status: 'sold' } : {}) })
      }
      const wanted: [filter: Parameters<typeof pets.list>[0], ids: number[], next?: number][] = [
        [{ limit: 3 }, [1, 2, 3], 3],
        [{ limit: 3, after: 3 }, [4, 5, 6], 6],
        [{ limit: 3, after: 7 }, [8, 9, 10]],
        [{ limit: 10 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
        [{ limit: 9 }, [1, 2, 3, 4, 5, 6, 7, 8, 9], 9],
        [{ limit: 100, after: 10 }, []],
        [{ limit: 2, status: 'sold' }, [1, 3], 3],
        [{ limit: 2, after: 5, status: 'sold' }, [7, 9]],
        [{ limit: 2, status: 'pending' }, []]
      ]
      for (const [filter, ids, next] of wanted) {
        const page = contentOf(await pets.list(filter))
        t.same(
          page.items.map(({ id }) => id),
          ids,
          JSON.stringify(filter)
        )
        t.equal(page.next, next, JSON.stringify(filter))
      }
    }
  )

  t.test(`${name}: pets made at the same time have ids of their own`, async (t) => {
    const pets = petRepository(await open(t))
    const made = await Promise.all(
      Array.from({ length: 600 }, (_, index) => pets.create({ name: `Pet ${index}`, categoryId: index }))
    )
    t.equal(new Set(made.map(({ id }) => id)).size, 600)
    t.ok(
      made.every(({ name, categoryId }, index) => name === `Pet ${index}` && categoryId === index),
      'each answer is the pet of its own request'
    )
  })
}
