import t from 'tap'
import { startService } from '../../support/service.js'

t.test(
  'GET /inventory lists every animal with its stock, which is 1 for a new one, and its status, if it has one',
  async (t) => {
    const { call } = await startService(t)
    for (const status of ['available', undefined, 'sold']) {
      await call('POST', '/pets', { body: { name: 'Pet', categoryId: 1, status } })
    }
    t.same((await call('GET', '/inventory')).json, [
      { petId: 1, quantity: 1, status: 'available' },
      { petId: 2, quantity: 1 },
      { petId: 3, quantity: 1, status: 'sold' }
    ])
    t.same((await call('GET', '/inventory?status=sold')).json, [{ petId: 3, quantity: 1, status: 'sold' }])
    t.equal(
      (await call('GET', '/inventory?status=lost')).json.message,
      "Query parameter 'status' must be one of: available, pending, sold."
    )
  }
)

t.test(
  'PATCH /inventory/{petId} sets the stock and answers with it; an available animal without stock is pending meanwhile',
  async (t) => {
    const { call } = await startService(t)
    await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
    for (const [quantity, status] of [
      [5, 'available'],
      [0, 'pending'],
      [2147483647, 'available']
    ] as const) {
      const reply = await call('PATCH', '/inventory/1', { body: { quantity } })
      t.same([reply.status, reply.json], [200, { petId: 1, quantity, status }])
      t.same((await call('GET', `/inventory?status=${status}`)).json, [reply.json])
      t.equal((await call('GET', `/pets?status=${status}`)).json.length, 1)
    }
  }
)

t.test('new stock can be ordered while older orders are open', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
  t.equal((await call('POST', '/store/orders', { body: { petId: 1 } })).status, 201)
  t.equal((await call('POST', '/store/orders', { body: { petId: 1 } })).status, 409)
  t.same((await call('PATCH', '/inventory/1', { body: { quantity: 2 } })).json, {
    petId: 1,
    quantity: 2,
    status: 'available'
  })
  t.equal((await call('POST', '/store/orders', { body: { petId: 1, quantity: 2 } })).status, 201)
  for (const id of [1, 2]) t.equal((await call('DELETE', `/store/orders/${id}`)).status, 204)
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 3, status: 'available' }])
})

t.test('stock that is given back beyond what can be set is shown exactly', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  for (let i = 0; i < 2; i++) {
    await call('PATCH', '/inventory/1', { body: { quantity: 2147483647 } })
    await call('POST', '/store/orders', { body: { petId: 1, quantity: 2147483647 } })
  }
  for (const id of [1, 2]) await call('DELETE', `/store/orders/${id}`)
  t.equal((await call('GET', '/inventory')).text, '[{"petId":1,"quantity":4294967294}]')
})

t.test('an animal that is not there is a 404; another id or quantity is a 400 that changes nothing', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  for (const id of ['2', '0', '-1', '9223372036854775807']) {
    t.match(
      await call('PATCH', `/inventory/${id}`, { body: { quantity: 1 } }),
      { status: 404, json: { message: 'There is no pet with this id.' } },
      id
    )
  }
  t.match(await call('PATCH', '/inventory/abc', { body: { quantity: 1 } }), {
    status: 400,
    json: { message: "Path parameter 'petId' must be an integer." }
  })
  const wanted: [raw: string, message: string][] = [
    ['{}', "Body property 'quantity' is required."],
    ['{"quantity":-1}', "Body property 'quantity' must be at least 0."],
    ['{"quantity":2147483648}', "Body property 'quantity' must be at most 2147483647."],
    ['{"quantity":"1"}', "Body property 'quantity' must be an integer."],
    ['{"quantity":1,"status":"sold"}', "Body property 'status' is not known."]
  ]
  for (const [raw, message] of wanted) {
    t.match(await call('PATCH', '/inventory/1', { raw }), { status: 400, json: { code: 'bad_request', message } }, raw)
  }
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 1 }])
})
