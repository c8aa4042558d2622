import t from 'tap'
import { isMultipleOf } from '../../../src/contract/validation/decimal.js'
import { echo, serveParameters } from '../books.js'

const MULTIPLES: [value: number | bigint, step: number][] = [
  [19.99, 0.01], [0.29, 0.01], [4.35, 0.01], [-1.1, 0.1], [0.3, 0.1], [1.15, 0.05], [0, 0.01], [-0, 3], [7, 0.01],
  [0.0000003, 1e-7], [1e-7, 1e-8], [1e21, 0.2e-3], [1e300, 2e-300], [2 ** 53, 0.5], [9007199254740993n, 0.01],
  [9007199254740993n, 3], [10n ** 400n, 1e-300], [12.5, 2.5]
]
const OTHERS: [value: number | bigint, step: number][] = [
  [19.995, 0.01], [0.001, 0.01], [0.3, 0.2], [7, 2], [1e-8, 1e-7], [9007199254740993n, 2], [Infinity, 0.01], [NaN, 1],
  [0.30000000000000004, 0.1], [5e-324, 1e308]
]

t.test('a number is a multiple of another as it is in decimals', async (t) => {
  for (const [value, step] of MULTIPLES) t.equal(isMultipleOf(value, step), true, `${value} of ${step}`)
  for (const [value, step] of OTHERS) t.equal(isMultipleOf(value, step), false, `${value} of ${step}`)
})

t.test('every amount of cents is a multiple of 0.01, in a body and in a parameter', async (t) => {
  const price = { type: 'number', multipleOf: 0.01 }
  const { put } = await echo(t, { type: 'array', items: price })
  const prices = Array.from({ length: 2000 }, (_, cents) => (cents / 100).toFixed(2))
  t.equal((await put(`[${prices.join()}]`)).status, 200)
  t.match(await put('[0.295]'), { status: 400, json: { message: "Body property '0' must be a multiple of 0.01." } })

  const { call } = await serveParameters(t, [{ name: 'price', in: 'query', schema: price }])
  for (const text of ['19.99', '0.29', '4.35', '0.30']) {
    t.equal((await call('GET', `/books?price=${text}`)).status, 204, text)
  }
  t.match(await call('GET', '/books?price=4.355'), {
    status: 400,
    json: { message: "Query parameter 'price' must be a multiple of 0.01." }
  })
})
