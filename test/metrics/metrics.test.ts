import { connect } from 'node:net'
import t from 'tap'
import { until } from '../support/until.js'
import { samplesOf, startMeasured, textAt } from './measured.js'

t.test('requests are counted by operation, route, method, status and plan', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t)
  const key = await makeKey('pro')
  await fetch('GET', '/v1/pets', { key })
  await fetch('GET', '/v1/pets?limit=1', { key })
  await fetch('HEAD', '/v1/pets', { key })
  await fetch('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } })
  await fetch('POST', '/v1/pets', { key, body: {} })
  await fetch('GET', '/v1/pets/77', { key })
  await fetch('GET', '/v1/pets')
  await fetch('GET', '/v1/nowhere', { key })
  await fetch('BREW', '/v1/pets', { key }).catch(() => {})
  const samples = await read()
  t.same(samplesOf(samples, 'petstore_requests_total'), {
    '{operation="listPets",route="/v1/pets",method="GET",status="200",plan="pro"}': 2,
    '{operation="listPets",route="/v1/pets",method="HEAD",status="200",plan="pro"}': 1,
    '{operation="listPets",route="/v1/pets",method="GET",status="401",plan="none"}': 1,
    '{operation="createPet",route="/v1/pets",method="POST",status="201",plan="pro"}': 1,
    '{operation="createPet",route="/v1/pets",method="POST",status="400",plan="pro"}': 1,
    '{operation="getPet",route="/v1/pets/{petId}",method="GET",status="404",plan="pro"}': 1,
    '{operation="none",route="none",method="GET",status="404",plan="pro"}': 1
  })
  t.equal(samples.get('petstore_request_duration_seconds_count{operation="listPets",route="/v1/pets"}'), 4)
  t.equal(samples.get('petstore_request_duration_seconds_bucket{le="+Inf",operation="listPets",route="/v1/pets"}'), 4)
  t.ok(samples.get('petstore_request_duration_seconds_sum{operation="listPets",route="/v1/pets"}')! > 0)
})

t.test('no caller can make a new label: paths, queries and methods of their own share one', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t)
  const key = await makeKey('enterprise')
  await fetch('GET', '/v1/pets', { key })
  await fetch('PROPFIND', '/v1/nowhere', { key })
  const before = [...(await read()).keys()].filter((name) => name.startsWith('petstore_'))
  for (let i = 0; i < 20; i++) {
    await fetch('GET', `/v1/nowhere${i}`, { key })
    await fetch('GET', `/v1/pets?limit=${i + 1}`, { key })
    await fetch(['PROPFIND', 'REPORT', 'MKCOL'][i % 3]!, `/v1/${i}`, { key })
  }
  const after = [...(await read()).keys()].filter((name) => name.startsWith('petstore_'))
  const added = after.filter((name) => !before.includes(name))
  t.same(added, ['petstore_requests_total{operation="none",route="none",method="GET",status="404",plan="enterprise"}'])
})

t.test('the decisions of the limits are counted by plan and outcome, and so are bans and refused addresses', async (t) => {
  const { fetch, makeKey, read, clock } = await startMeasured(t)
  const key = await makeKey()
  for (let i = 0; i < 61; i++) await fetch('GET', '/v1/pets', { key })
  clock.advance(1_000)
  for (let i = 0; i < 12; i++) await fetch('GET', '/v1/pets', { key })
  for (let i = 0; i < 62; i++) await fetch('GET', '/v1/pets')
  const samples = await read()
  t.same(samplesOf(samples, 'petstore_limit_decisions_total'), {
    '{plan="free",outcome="admitted"}': 60,
    '{plan="free",outcome="limited"}': 10,
    '{plan="free",outcome="banned"}': 3
  })
  t.same(samplesOf(samples, 'petstore_bans_total'), { '{plan="free",level="1"}': 1 })
  t.same(samplesOf(samples, 'petstore_address_decisions_total'), {
    '{outcome="admitted"}': 60,
    '{outcome="limited"}': 2
  })
})

t.test('requests with an Idempotency-Key are counted as misses, hits and mismatches', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t)
  const key = await makeKey()
  const headers = { 'Idempotency-Key': 'once' }
  const body = { name: 'Rex', categoryId: 1 }
  for (let i = 0; i < 3; i++) await fetch('POST', '/v1/pets', { key, headers, body })
  await fetch('POST', '/v1/pets', { key, headers, body: { ...body, name: 'Other' } })
  await fetch('POST', '/v1/pets', { key, body })
  t.same(samplesOf(await read(), 'petstore_idempotent_requests_total'), {
    '{outcome="miss"}': 1,
    '{outcome="hit"}': 2,
    '{outcome="mismatch"}': 1
  })
})

t.test('connections are counted: open ones, refused ones, and what never became a request', async (t) => {
  const timeLimits = { headers: 200, request: 200, handler: 10_000, untaken: 60_000, check: 20 }
  const { port, read } = await startMeasured(t, { settings: { maxConnections: 2, timeLimits } })
  const opened = [0, 1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => opened.forEach((socket) => socket.destroy()))
  await until(async () => (await read()).get('petstore_connections_refused_total') === 1)
  const samples = await read()
  t.equal(samples.get('petstore_connections'), 2)
  t.equal(samples.get('petstore_connections_max'), 2)
  opened[0]!.write('GET / HTTP/1.1\r\nhost:')
  opened[1]!.write('rubbish\r\n\r\n')
  await until(async () => {
    const samples = await read()
    const reasons = ['slow', 'malformed'].map((reason) => samples.get(`petstore_requests_unparsed_total{reason="${reason}"}`))
    return reasons.every((count) => count === 1)
  })
  await until(async () => (await read()).get('petstore_connections') === 0)
})

t.test('requests that get an early 503 are counted by reason, and not among those that were answered', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t, { settings: { loadLimits: { wait: 60_000, underWay: 0 } } })
  const key = await makeKey('enterprise')
  t.equal((await read()).get('petstore_requests_refused_total{reason="under_way"}'), 0)
  let refused = 0
  let served = 0
  await until(async () => {
    const { status } = await fetch('GET', '/v1/pets', { key })
    if (status === 503) refused++
    else served++
    return refused === 2
  })
  const samples = await read()
  t.same(samplesOf(samples, 'petstore_requests_refused_total'), { '{reason="under_way"}': refused })
  t.equal(samples.get('petstore_requests_refused_total{reason="wait"}'), 0)
  const answered = samplesOf(samples, 'petstore_requests_total')
  t.equal(Object.values(answered).reduce((all, count) => all + count, 0), served)
})

t.test('what clients do not take is shown, with the connections that are cut and those that are abandoned', async (t) => {
  const timeLimits = { headers: 60_000, request: 60_000, handler: 60_000, untaken: 1_000, check: 20 }
  const { fetch, makeKey, port, read } = await startMeasured(t, { settings: { timeLimits } })
  const key = await makeKey('enterprise')
  const body = { name: 'x'.repeat(15_000), categoryId: 1 }
  for (let i = 0; i < 100; i++) await fetch('POST', '/v1/pets', { key, body })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.pause()
  const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  socket.write(request.repeat(8))
  await until(async () => (await read()).get('petstore_untaken_bytes')! > 0)
  await until(async () => (await read()).get('petstore_connections_cut_total') === 1)
  await until(async () => (await read()).get('petstore_connections_abandoned_total') === 1)
  t.equal((await read()).get('petstore_untaken_bytes'), 0)
})

t.test('the metrics are at one address of a port of their own, and not on the public one', async (t) => {
  const { root, metricsUrl } = await startMeasured(t)
  const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status
  t.equal(await statusOf(metricsUrl), 200)
  t.equal(await statusOf(metricsUrl, 'HEAD'), 200)
  t.equal(await statusOf(metricsUrl, 'POST'), 405)
  t.equal(await statusOf(new URL('/', metricsUrl).href), 404)
  t.equal(await statusOf(new URL('/v1/pets', metricsUrl).href), 404)
  t.equal(await statusOf(`${root}/metrics`), 404)
  const response = await fetch(metricsUrl)
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.match(await response.text(), 'petstore_info{version="1.2.3"} 1\n')
})

t.test('the metrics have no secret of a key', async (t) => {
  const { fetch, makeKey, metricsUrl } = await startMeasured(t)
  const key = await makeKey()
  await fetch('GET', `/v1/pets/${key}?limit=${key}`, { key, headers: { 'Idempotency-Key': key } })
  t.notMatch(await textAt(metricsUrl), /pet_(live|test)_/)
})
