import t, { type Test } from 'tap'
import { startService } from '../../support/service.js'

/** A service with one animal, so many of it in stock. */
async function withPet (t: Test, quantity: number, pet: { status?: string } = { status: 'available' }) {
  const service = await startService(t)
  await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, ...pet } })
  await service.call('PATCH', '/inventory/1', { body: { quantity } })
  return service
}

t.test(
  'POST /store/orders answers 201 with the order and its new id, takes it from the stock, and GET lists the very same',
  async (t) => {
    const { call } = await withPet(t, 10)
    const bodies = [
      { petId: 1, quantity: 2, shipDate: '2027-01-31T12:00:00Z' },
      { petId: 1, quantity: 3 },
      { petId: 1 }
    ]
    const orders = bodies.map((body, index) => ({ id: index + 1, quantity: 1, ...body, complete: false }))
    for (const [index, body] of bodies.entries()) {
      const { status, json } = await call('POST', '/store/orders', { body })
      t.same({ status, json }, { status: 201, json: orders[index] })
    }
    t.same((await call('GET', '/store/orders')).json, orders)
    t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 4, status: 'available' }])
  }
)

t.test('the order that takes the last of an available animal makes it pending', async (t) => {
  const { call } = await withPet(t, 2)
  for (const status of ['available', 'pending']) {
    await call('POST', '/store/orders', { body: { petId: 1 } })
    t.equal((await call('GET', '/pets/1')).json.status, status)
  }
})

t.test('an animal that was added as pending or without a status can be ordered, and keeps that status', async (t) => {
  for (const pet of [{ status: 'pending' }, {}]) {
    const { call } = await withPet(t, 1, pet)
    t.equal((await call('POST', '/store/orders', { body: { petId: 1 } })).status, 201)
    t.equal((await call('GET', '/pets/1')).json.status, pet.status)
  }
})

t.test(
  'an animal that is not there is a 404; one that is sold, or of which there is too little, a 409; and nothing changes',
  async (t) => {
    const { call } = await withPet(t, 2)
    await call('POST', '/pets', { body: { name: 'Ada', categoryId: 9, status: 'sold' } })
    const wanted: [raw: string, status: number, message: string][] = [
      ...['0', '-1', '3', '9007199254740993', '9223372036854775807'].map((petId): [string, number, string] => [
        `{"petId":${petId}}`,
        404,
        'There is no pet with this id.'
      ]),
      ['{"petId":1,"quantity":3}', 409, 'There is not enough of this pet in stock.'],
      ['{"petId":1,"quantity":2147483647}', 409, 'There is not enough of this pet in stock.'],
      ['{"petId":2}', 409, 'This pet is sold.']
    ]
    for (const [raw, status, message] of wanted) {
      t.match(
        await call('POST', '/store/orders', { raw }),
        { status, json: { code: status === 404 ? 'not_found' : 'conflict', message, status } },
        raw
      )
    }
    t.equal((await call('GET', '/store/orders')).text, '[]')
    t.same(
      (await call('GET', '/inventory')).json.map(({ quantity }: { quantity: number }) => quantity),
      [2, 1]
    )
  }
)

t.test('a ship date comes back as it was sent; what is no instant is a 400', async (t) => {
  const { call } = await withPet(t, 100)
  for (const shipDate of [
    '2027-01-31T12:00:00Z',
    '2027-01-31T12:00:00.000Z',
    '2028-02-29T23:59:59.123456789+14:00',
    '2027-01-31T12:00:00-00:00',
    '1999-12-31T00:00:00+05:30'
  ]) {
    const { status, json } = await call('POST', '/store/orders', { body: { petId: 1, shipDate } })
    t.same([status, json.shipDate], [201, shipDate])
  }
  const spelled =
    "Body property 'shipDate' must be an instant of RFC 3339 with seconds and an offset, such as 2027-01-31T12:00:00Z."
  const real = "Body property 'shipDate' must be a valid date-time."
  const wanted: [shipDate: unknown, message: string | RegExp][] = [
    ...[
      '2027-02-29T12:00:00Z',
      '2027-13-01T12:00:00Z',
      '2027-00-01T12:00:00Z',
      '2027-01-32T12:00:00Z',
      '2027-01-31T24:00:00Z',
      '2027-01-31T12:60:00Z',
      '2027-01-31T12:00:00+24:00',
      '2027-01-31T12:00:00+01:60'
    ].map((shipDate): [string, string] => [shipDate, real]),
    ...[
      '',
      'tomorrow',
      '2027-01-31',
      '2027-01-31T12:00Z',
      '2027-01-31T12:00:00',
      '2027-01-31 12:00:00Z',
      '2027-01-31t12:00:00z',
      '2027-01-31T12:00:00+0100',
      '2027-01-31T12:00:00.Z',
      '2016-12-31T23:59:60Z',
      '2027-01-31T12:00:00Z\n',
      '+02027-01-31T12:00:00Z',
      '٢٠٢٧-01-31T12:00:00Z'
    ].map((shipDate): [string, string] => [shipDate, spelled]),
    [null, "Body property 'shipDate' must be a string."],
    [1_800_000_000, "Body property 'shipDate' must be a string."]
  ]
  for (const [shipDate, message] of wanted) {
    t.match(
      await call('POST', '/store/orders', { body: { petId: 1, shipDate } }),
      { status: 400, json: { code: 'bad_request', message } },
      JSON.stringify(shipDate)
    )
  }
})

t.test('a body that is not as declared is a 400 that names what is wrong', async (t) => {
  const { call } = await withPet(t, 1)
  const must = (name: string, what: string) => `Body property '${name}' must ${what}.`
  const wanted: [raw: string, message: string][] = [
    ['{}', "Body property 'petId' is required."],
    ['{"petId":"1"}', must('petId', 'be an integer')],
    ['{"petId":9223372036854775808}', must('petId', 'be from -9223372036854775808 to 9223372036854775807')],
    ['{"petId":1,"quantity":0}', must('quantity', 'be at least 1')],
    ['{"petId":1,"quantity":-1}', must('quantity', 'be at least 1')],
    ['{"petId":1,"quantity":2147483648}', must('quantity', 'be at most 2147483647')],
    ['{"petId":1,"quantity":9007199254740993}', must('quantity', 'be at most 2147483647')],
    ['{"petId":1,"quantity":1.5}', must('quantity', 'be an integer')],
    ['{"petId":1,"quantity":null}', must('quantity', 'be an integer')],
    ['{"petId":1,"complete":true}', "Body property 'complete' is not known."],
    ['{"petId":1,"id":7}', "Body property 'id' is not known."]
  ]
  for (const [raw, message] of wanted) {
    const { status, json } = await call('POST', '/store/orders', { raw })
    t.same({ status, json }, { status: 400, json: { code: 'bad_request', message, status: 400 } }, raw)
  }
  t.equal((await call('GET', '/store/orders')).text, '[]', 'nothing was stored')
})

t.test('of 20 orders at the same time for the last one, one is taken', async (t) => {
  const { call } = await withPet(t, 1)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/store/orders', { body: { petId: 1 } }))
  )
  t.same(replies.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
  t.equal((await call('GET', '/store/orders')).json.length, 1)
})

t.test(
  '1,000 orders at the same time over 100 animals: what is in stock and what is ordered is what there was, also when orders are cancelled meanwhile',
  async (t) => {
    const {
      call,
      repositories: { pets, inventory, orders }
    } = await startService(t)
    const stock = new Map<unknown, number>()
    for (let number = 1; number <= 100; number++) {
      const { id } = await pets.create({ name: `Pet ${number}`, categoryId: 1, status: 'available' })
      stock.set(id, number % 12)
      await inventory.update(id, { quantity: number % 12 })
    }
    const statuses: Record<string, number> = {}
    const count = ({ status }: { status: number }) => {
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const reply = await call('POST', '/store/orders', {
          body: { petId: (index % 100) + 1, quantity: (index % 3) + 1 }
        })
        count(reply)
        if (reply.status === 201 && reply.json.id % 4 === 0) {
          for (const twin of await Promise.all([1, 2].map(() => call('DELETE', `/store/orders/${reply.json.id}`)))) {
            count(twin)
          }
        }
      })
    )
    t.equal(statuses[201]! + statuses[409]!, 1_000)
    t.equal(statuses[204], statuses[404], 'of two who cancel an order one does')

    const left = (await inventory.list({ limit: 100 })).items
    const open = (await orders.list({ limit: 1_000 })).items
    t.equal(open.length, statuses[201]! - statuses[204]!)
    for (const { petId, quantity, status } of left) {
      const ordered = open.filter((order) => order.petId === petId).reduce((sum, order) => sum + order.quantity, 0)
      t.equal(Number(quantity) + ordered, stock.get(petId), `pet ${petId}`)
      t.equal(status, Number(quantity) > 0 ? 'available' : 'pending', `pet ${petId}`)
    }
    t.comment(statuses)
  }
)
