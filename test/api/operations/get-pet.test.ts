import t from 'tap'
import { startService } from '../../support/service.js'

const DEPRECATION = {
  deprecation: '@1764892800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '<../pets>; rel="successor-version", <../../deprecations#getPet>; rel="deprecation", <../../deprecations#getPet>; rel="sunset"'
}

t.test('GET /pets/{petId} gives the animal', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'sold' } })
  const { status, json } = await call('GET', '/pets/1')
  t.equal(status, 200)
  t.same(json, { id: 1, name: 'Rex', categoryId: 7, status: 'sold' })
})

t.test('an animal that is not there is a 404, for every int64', async (t) => {
  const { call } = await startService(t)
  for (const id of ['1', '0', '-1', '999999999', '9007199254740993', '9223372036854775807', '-9223372036854775808']) {
    const { status, json } = await call('GET', `/pets/${id}`)
    t.same(
      { status, json },
      { status: 404, json: { code: 'not_found', message: 'There is no pet with this id.', status: 404 } },
      id
    )
  }
})

t.test('a petId that is no int64, or is spelled another way than in decimal, is a 400', async (t) => {
  const { call } = await startService(t)
  for (const id of [
    'abc',
    '1.5',
    '1.0',
    '0x10',
    '1e3',
    '%201',
    '1%20',
    '+1',
    '01',
    '00',
    '-',
    '1_0',
    '%D9%A3',
    '1'.repeat(500) + 'x',
    'null',
    'true',
    '%00',
    '1,2'
  ]) {
    const { status, json } = await call('GET', `/pets/${id}`)
    t.same(
      { status, json },
      {
        status: 400,
        json: { code: 'bad_request', message: "Path parameter 'petId' must be an integer.", status: 400 }
      },
      id
    )
  }
  for (const id of ['9223372036854775808', '-9223372036854775809', '1'.repeat(500)]) {
    t.equal(
      (await call('GET', `/pets/${id}`)).json.message,
      "Path parameter 'petId' must be from -9223372036854775808 to 9223372036854775807.",
      id
    )
  }
  t.equal((await call('GET', '/pets/1?x=1')).json.message, "Query parameter 'x' is not known.")
})

t.test('every answer of the deprecated operation says since when, until when, and what replaces it', async (t) => {
  const { call, makeKey } = await startService(t)
  const { secret: spent } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await call('GET', '/pets', { key: spent })
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  const answers = {
    200: await call('GET', '/pets/1'),
    400: await call('GET', '/pets/abc'),
    401: await call('GET', '/pets/1', { key: undefined }),
    404: await call('GET', '/pets/2'),
    429: await call('GET', '/pets/1', { key: spent })
  }
  for (const [status, { headers, status: found }] of Object.entries(answers)) {
    t.equal(found, Number(status))
    for (const [name, value] of Object.entries(DEPRECATION)) t.equal(headers.get(name), value, `${status}: ${name}`)
  }
  t.equal((await call('HEAD', '/pets/1')).headers.get('sunset'), DEPRECATION.sunset)
  t.equal((await call('GET', '/pets')).headers.get('deprecation'), null, 'listPets is not deprecated')
  t.equal((await call('DELETE', '/pets/1')).headers.get('deprecation'), null, 'nor is a method that is not there')
})

t.test('after its sunset the operation is served on, or answers 410 where that is enforced', async (t) => {
  for (const enforceSunset of [false, true]) {
    const { call, clock } = await startService(t, { enforceSunset })
    await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
    clock.set('2030-12-04T23:59:59.999Z')
    t.equal((await call('GET', '/pets/1')).status, 200, 'before')
    clock.set('2030-12-05T00:00:00Z')
    const { status, json, headers } = await call('GET', '/pets/1')
    t.equal(headers.get('sunset'), DEPRECATION.sunset)
    if (enforceSunset) {
      t.same(json, {
        code: 'gone',
        message: 'This operation was removed on 5 December 2030. The Link header names its successor.',
        status: 410
      })
    } else t.equal(status, 200)
    t.equal((await call('GET', '/pets')).status, 200, 'its successor is there')
  }
})
