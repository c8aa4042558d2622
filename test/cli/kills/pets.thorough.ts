import t from 'tap'
import { CLIENTS, underKills } from './under-kills.js'

const KILLS = 6

t.test(
  `${KILLS} kills (SIGKILL) under ${CLIENTS} clients that add pets: every pet that was answered is there, whole, under an id of its own`,
  async (t) => {
    const answered = new Map<number, { name: string; categoryId: number }>()
    let sent = 0
    const file = await underKills(t, KILLS, async (call) => {
      const number = ++sent
      const pet = { name: `Pet ${number} ${'x'.repeat(number % 500)}`, categoryId: number }
      const { status, json } = await call('POST', '/pets', pet)
      const { id } = json
      if (status !== 201 || answered.has(id)) t.fail(`pet ${id} was answered with ${status}, or twice`)
      answered.set(id, pet)
    })
    const stored = new Map(
      (await file.read('SELECT * FROM pets')).map((row) => [row.id, { name: row.name, categoryId: row.category_id }])
    )
    const lost = [...answered].filter(([id, pet]) => JSON.stringify(stored.get(id)) !== JSON.stringify(pet))
    t.same(lost, [])
    t.comment(
      `${sent} sent, ${answered.size} answered, ${lost.length} lost, ${stored.size - answered.size} stored without an answer`
    )
    t.ok(answered.size >= KILLS * CLIENTS)
  }
)
