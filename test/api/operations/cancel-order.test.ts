import t from 'tap'
import { startService } from '../../support/service.js'

t.test('DELETE /store/orders/{orderId} answers 204, gives the stock back, and is a 404 from then on', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
  await call('POST', '/store/orders', { body: { petId: 1 } })
  t.equal((await call('GET', '/pets/1')).json.status, 'pending')
  const { status, text } = await call('DELETE', '/store/orders/1')
  t.same([status, text], [204, ''])
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 1, status: 'available' }])
  t.match(await call('DELETE', '/store/orders/1'), {
    status: 404,
    json: { code: 'not_found', message: 'There is no order with this id.', status: 404 }
  })
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 1, status: 'available' }], 'once')
  t.equal((await call('GET', '/store/orders')).text, '[]')
})

t.test('of 20 who cancel an order at the same time one does, and the stock is given back once', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
  await call('POST', '/store/orders', { body: { petId: 1 } })
  const replies = await Promise.all(Array.from({ length: 20 }, () => call('DELETE', '/store/orders/1')))
  t.same(replies.map(({ status }) => status).sort(), [204, ...Array(19).fill(404)])
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 1, status: 'available' }])
})

t.test('a complete order is a 409 and stays; its animal is sold', async (t) => {
  const { call, repositories } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
  await call('POST', '/store/orders', { body: { petId: 1 } })
  await repositories.orders.complete(1)
  t.match(await call('DELETE', '/store/orders/1'), {
    status: 409,
    json: { code: 'conflict', message: 'This order is complete. It cannot be cancelled.', status: 409 }
  })
  t.same((await call('GET', '/store/orders')).json, [{ id: 1, petId: 1, quantity: 1, complete: true }])
  t.same((await call('GET', '/inventory')).json, [{ petId: 1, quantity: 0, status: 'sold' }])
})

t.test('an order that is not there is a 404, for every int64; another id is a 400', async (t) => {
  const { call } = await startService(t)
  for (const id of ['1', '0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']) {
    t.equal((await call('DELETE', `/store/orders/${id}`)).status, 404, id)
  }
  for (const id of ['abc', '1.0', '01', '%201', '9223372036854775808']) {
    t.match(
      await call('DELETE', `/store/orders/${id}`),
      { status: 400, json: { message: /^Path parameter 'orderId' must be / } },
      id
    )
  }
  t.equal((await call('DELETE', '/store/orders/1?force=true')).json.message, "Query parameter 'force' is not known.")
})
