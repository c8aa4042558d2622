import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { runInProcess } from '../in-process.js'

const pathOf = (t: Test) => join(t.testdir(), 'petstore.db')

async function petsIn (path: string) {
  const database = openSqlite(path, { owner: true })
  const pets = await database.read('SELECT * FROM pets ORDER BY id')
  await database.close()
  return pets
}

t.test('seed adds 20 pets or as many as asked for, to those that are there', async (t) => {
  const path = pathOf(t)
  const wanted: [args: string[], says: RegExp, pets: number][] = [
    [[], /^Added 20 pets\.\n$/, 20],
    [['--pets', '1'], /^Added 1 pets?\.\n$/, 21],
    [['--pets', '1200'], /^Added 1200 pets\.\n$/, 1221],
    [['--pets', '3', '--json'], /^\{"pets":3\}\n$/, 1224]
  ]
  for (const [args, says, pets] of wanted) {
    const { code, stdout, stderr } = await runInProcess(['seed', ...args], { DATABASE_URL: `sqlite:${path}` })
    t.same({ code, stderr }, { code: 0, stderr: '' })
    t.match(stdout, says)
    t.equal((await petsIn(path)).length, pets)
  }
})

t.test(
  'the sample pets have every availability status and none, several categories, and names of their own',
  async (t) => {
    const path = pathOf(t)
    await runInProcess(['seed', '--pets', '60'], { DATABASE_URL: `sqlite:${path}` })
    const pets = await petsIn(path)
    t.same(new Set(pets.map(({ status }) => status)), new Set(['available', 'pending', 'sold', null]))
    t.ok(new Set(pets.map((pet) => pet.category_id)).size > 3)
    t.equal(new Set(pets.map(({ name }) => name)).size, 60)
  }
)

t.test(
  'the categories of the sample pets are there: made where there are none, else those that there are',
  async (t) => {
    const path = pathOf(t)
    const categories = async () => {
      const database = openSqlite(path, { owner: true })
      const ids = (await database.read('SELECT id FROM categories ORDER BY id')).map(({ id }) => id)
      const used = (await database.read('SELECT DISTINCT category_id FROM pets ORDER BY category_id')).map(
        (pet) => pet.category_id
      )
      await database.close()
      return { ids, used }
    }
    for (let run = 1; run <= 2; run++) {
      await runInProcess(['seed'], { DATABASE_URL: `sqlite:${path}` })
      t.same(await categories(), { ids: [1, 2, 3, 4, 5, 6, 7], used: [1, 2, 3, 4, 5, 6, 7] })
    }
    const database = openSqlite(path, { owner: true })
    await database.write('DELETE FROM pets')
    await database.write('DELETE FROM categories WHERE id <> 3')
    await database.close()
    await runInProcess(['seed'], { DATABASE_URL: `sqlite:${path}` })
    t.same(await categories(), { ids: [3], used: [3] })
  }
)

t.test(
  'a number of pets that is none is told in a sentence, with exit code 2, and leaves no database behind',
  async (t) => {
    const path = pathOf(t)
    for (const number of ['0', '-1', '1.5', 'many', '', '10000000']) {
      const { code, stdout, stderr } = await runInProcess(['seed', `--pets=${number}`], {
        DATABASE_URL: `sqlite:${path}`
      })
      t.same({ code, stdout }, { code: 2, stdout: '' }, number)
      t.match(
        stderr,
        `option '--pets <n>' argument '${number}' is invalid. It must be a whole number from 1 to 9999999.`
      )
    }
    t.notOk(existsSync(path))
  }
)
