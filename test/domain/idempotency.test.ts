import t from 'tap'
import { newSecret } from '../../src/domain/api-keys.js'
import { fingerprintOf, keyOf } from '../../src/domain/idempotency.js'

t.test('a key is the same quoted and bare', async (t) => {
  for (const key of ['a', '8e03978e-40d5-43dd-bc93-6894a57f9324', "order:1;x='[~]'"]) {
    t.equal(keyOf(key), key)
    t.equal(keyOf(`"${key}"`), key)
  }
})

t.test('a key that holds the secret of an API key becomes a hash, the same for the same key and no other', async (t) => {
  const [one, other] = [newSecret('live'), newSecret('live')]
  t.equal(keyOf(one), keyOf(`"${one}"`))
  t.match(keyOf(`order-${one}`), /^sha256 [\w-]{43}$/)
  t.equal(new Set([one, other, `order-${one}`, `${one}${other}`].map(keyOf)).size, 4)
})

t.test('the fingerprint is that of what was asked, however it was written down', async (t) => {
  const of = (body: unknown, url = '/v1/pets', method = 'POST') => fingerprintOf({ method, url, body })
  t.equal(of({ a: 1, b: { c: [1, 2], d: null } }), of({ b: { d: null, c: [1, 2] }, a: 1 }), 'the order of members')
  const others = [
    of({ a: 1 }),
    of({ a: 2 }),
    of({ a: '1' }),
    of({ b: 1 }),
    of({ a: [1] }),
    of({ a: 1, b: 1 }),
    of([{ a: 1 }]),
    of(undefined),
    of({}),
    of({ a: { a: 1 } }),
    of({ a: [1, 2] }),
    of({ a: [2, 1] }),
    of({ a: 9007199254740993n }),
    of({ a: '9007199254740993' }),
    of({ a: 9007199254740992n }),
    of({ a: null }),
    of({ a: { integer: '9007199254740993' } }),
    of(null),
    of('null'),
    of('9007199254740993'),
    of(9007199254740993n),
    of('"9007199254740993'),
    of({ a: 1 }, '/v1/pets?x=1'),
    of({ a: 1 }, '/v1/pets/1'),
    of({ a: 1 }, '/v1/pets', 'PATCH')
  ]
  t.equal(new Set(others).size, others.length)
})
