import t from 'tap'
import { CLIENTS, underKills } from './under-kills.js'

const KILLS = 5
const STOCK = 1

t.test(
  `${KILLS} kills (SIGKILL) under ${CLIENTS} clients that order and cancel: what is in stock and what is ordered is what there was, and every answer holds`,
  async (t) => {
    const placed = new Map<number, number>()
    const cancelled = new Set<number>()
    const asked = new Set<number>()
    const file = await underKills(t, KILLS, async (call) => {
      const { json: pet } = await call('POST', '/pets', { name: 'Rex', categoryId: 1, status: 'available' })
      const orders = await Promise.all([
        call('POST', '/store/orders', { petId: pet.id }),
        call('POST', '/store/orders', { petId: pet.id })
      ])
      const statuses = orders.map(({ status }) => status).sort().join()
      if (statuses !== '201,409') t.fail(`two orders for one pet were answered with ${statuses}`)
      const { id } = orders.find(({ status }) => status === 201)!.json
      placed.set(id, pet.id)
      if (id % 2) return
      asked.add(id)
      if ((await call('DELETE', `/store/orders/${id}`)).status !== 204) t.fail(`order ${id} could not be cancelled`)
      cancelled.add(id)
    })
    const pets = await file.read(
      `SELECT id, quantity,
         (SELECT coalesce(sum(orders.quantity), 0) FROM orders WHERE pet_id = pets.id) AS ordered FROM pets`
    )
    t.same(
      pets.filter(({ quantity, ordered }) => Number(quantity) + Number(ordered) !== STOCK),
      []
    )
    const stored = new Map((await file.read('SELECT id, pet_id FROM orders')).map((row) => [row.id, row.pet_id]))
    t.same(
      [...placed].filter(([id, petId]) => !asked.has(id) && stored.get(id) !== petId),
      [],
      'no order is lost'
    )
    t.same(
      [...cancelled].filter((id) => stored.has(id)),
      [],
      'no cancelled order is there'
    )
    t.comment(`${pets.length} pets, ${placed.size} orders answered, ${cancelled.size} cancelled`)
    t.ok(placed.size >= KILLS)
  }
)
