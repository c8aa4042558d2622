import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { startProgram } from '../../scripts/cluster/program.js'
import { temporaryFolder } from '../../scripts/command/lifetime.js'
import { repliesOf, sendRaw } from '../../scripts/http/raw.js'
import { ROOT } from '../support/documents.js'
import { sendTo } from '../support/service.js'
import { until } from '../support/until.js'
import type { ReceivedSpan } from './receiver.js'
import { linesOf, startTraced } from './traced.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${PARENT}-01`

/** The span with a name; there must be one. */
function spanNamed (spans: ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name)
  if (!found) throw new Error(`There is no span ${name}, but: ${spans.map(({ name }) => name).join(', ')}`)
  return found
}

t.test('a request is a span of the trace that it names, with those of limits and storage below it', async (t) => {
  const { program, receiver, secret, keyId, fetch } = await startTraced(t)
  const body = { name: 'Rex', categoryId: 1 }
  await fetch('POST', '/v1/pets?', { key: secret, body, headers: { traceparent, 'Idempotency-Key': 'once' } })
  t.equal(await program.stop(), 0)

  const spans = receiver.spans.filter(({ traceId }) => traceId === TRACE)
  const request = spanNamed(spans, 'POST /v1/pets')
  t.equal(request.parentSpanId, PARENT)
  t.match(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/pets',
    'http.response.status_code': 201,
    'url.path': '/v1/pets',
    'petstore.operation.id': 'createPet'
  })
  const limits = spanNamed(spans, 'limits')
  t.equal(limits.parentSpanId, request.spanId)
  t.match(limits.attributes, { 'petstore.key.id': keyId, 'petstore.limits.outcome': 'admitted' })
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  for (const name of ['sqlite select', 'sqlite transaction', 'sqlite insert']) {
    let above: ReceivedSpan | undefined = spanNamed(spans, name)
    t.equal(above.attributes['db.system.name'], 'sqlite')
    while (above && above !== request) above = byId.get(above.parentSpanId!)
    t.equal(above, request, `${name} is below the request`)
  }
  t.match(receiver.resource, { 'service.name': 'petstore', 'service.version': String })
})

t.test('every line of the log has the id of the trace that it belongs to', async (t) => {
  const { program, secret, fetch } = await startTraced(t, { LOG_LEVEL: 'debug' })
  await fetch('GET', '/v1/pets', { key: secret, headers: { traceparent } })
  await fetch('GET', '/v1/pets/77', { key: secret, headers: { traceparent } })
  await fetch('GET', '/v1/pets', { key: secret })
  await program.stop()
  const lines = linesOf(program)
  const answered = lines.filter(({ msg }) => msg === 'answered')
  t.same(answered.slice(0, 2).map(({ traceId }) => traceId), [TRACE, TRACE])
  t.match(answered[2].traceId, /^[0-9a-f]{32}$/)
  t.not(answered[2].traceId, TRACE)
  t.equal(lines.find(({ msg }) => msg === 'request refused').traceId, TRACE)
})

t.test('spans of requests that run at the same time belong to their own traces', async (t) => {
  const { program, receiver, secret, fetch } = await startTraced(t)
  const traces = Array.from({ length: 60 }, (_, index) => TRACE.slice(0, -2) + String(index + 10))
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const [alone, ...pipelined] = [traces.slice(0, 20), traces.slice(20, 40), traces.slice(40)]
  const textFor = (trace: string): string =>
    [
      'POST /v1/pets HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${secret}`,
      `traceparent: 00-${trace}-${PARENT}-01`,
      `Idempotency-Key: ${trace}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body
    ].join('\r\n')
  await Promise.all([
    ...alone!.map((trace) =>
      fetch('POST', '/v1/pets', {
        key: secret,
        body: JSON.parse(body),
        headers: { traceparent: `00-${trace}-${PARENT}-01`, 'Idempotency-Key': trace }
      })
    ),
    ...pipelined.map(async (traces) => {
      const text = await sendRaw(Number(new URL(program.root).port), traces.map(textFor).join(''), { end: true })
      t.same(repliesOf(text).map(({ status }) => status), Array(20).fill(201))
    })
  ])
  await program.stop()
  for (const trace of traces) {
    const names = receiver.spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name)
    t.equal(names.filter((name) => name === 'POST /v1/pets').length, 1)
    t.equal(names.filter((name) => name === 'sqlite transaction').length, 1)
    // The pet, and the answer that is kept for a repetition.
    t.equal(names.filter((name) => name === 'sqlite insert').length >= 2, true)
  }
})

t.test('a refusal is no error of the server, and no span has a secret, a query or what a body says', async (t) => {
  const { program, receiver, secret, fetch } = await startTraced(t)
  await fetch('GET', `/v1/pets/${secret}?limit=canary`, { key: secret })
  await fetch('GET', '/v1/pets?limit=canary', { key: secret, headers: { 'X-Key': secret } })
  await fetch('POST', '/v1/pets', { key: secret, body: { name: 'canary', categoryId: 'canary' } })
  await fetch('GET', '/v1/pets', { key: `${secret.slice(0, -1)}!` })
  await program.stop()
  t.ok(receiver.spans.length >= 4)
  for (const { name, status } of receiver.spans) t.notOk(status.code, name)
  for (const body of receiver.bodies) {
    t.notMatch(body, secret.slice(0, -1))
    t.notMatch(body, 'canary')
  }
})

t.test('a receiver that takes no traces is told of once in the log, and so is one that takes them again', async (t) => {
  const { program, receiver, secret, fetch } = await startTraced(t, { OTEL_BSP_SCHEDULE_DELAY: '20' })
  const said = (sentence: string) => linesOf(program).filter(({ msg }) => msg.startsWith(sentence)).length
  const callUntil = (sentence: string) =>
    until(async () => {
      t.equal((await fetch('GET', '/v1/pets', { key: secret })).status, 200)
      return said(sentence) === 1
    })
  receiver.status = 400
  await callUntil('traces cannot be sent')
  receiver.status = 200
  await callUntil('traces are taken again')
  t.equal(said('traces cannot be sent'), 1)
  await program.stop()
})

t.test('a receiver that is not there costs the service nothing, nor does it hold up its end', async (t) => {
  const { program, secret, fetch } = await startTraced(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50'
  })
  for (let i = 0; i < 20; i++) t.equal((await fetch('GET', '/v1/pets', { key: secret })).status, 200)
  const start = performance.now()
  t.equal(await program.stop(), 0)
  t.ok(performance.now() - start < 20_000)
  t.notMatch(program.stdout(), '"level":60')
})

/** Makes a copy of the program whose packages are all but those that observe; gives its main file. */
async function copyWithoutObservers (t: Test): Promise<string> {
  const folder = await temporaryFolder(t)
  for (const name of ['dist', 'openapi', 'generated', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  }
  for (const name of await packagesIn(join(ROOT, 'node_modules'))) {
    if (/^(@opentelemetry\/|@fastify\/otel$|prom-client$)/.test(name)) continue
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return join(folder, 'dist/main.js')
}

async function packagesIn (folder: string): Promise<string[]> {
  const names = await readdir(folder)
  const scopes = names.filter((name) => name.startsWith('@'))
  const scoped = scopes.map(async (scope) => (await readdir(join(folder, scope))).map((name) => `${scope}/${name}`))
  return [...names.filter((name) => /^[a-z]/.test(name)), ...(await Promise.all(scoped)).flat()]
}

t.test('without the variables nothing of OpenTelemetry and prom-client is loaded', async (t) => {
  const main = await copyWithoutObservers(t)
  const database = { DATABASE_URL: `sqlite:${join(dirname(main), 'petstore.db')}` }
  const program = await startProgram(t, database, ['serve'], process.cwd(), main)
  t.equal((await sendTo(program.root)('GET', '/readyz')).status, 200)
  t.equal(await program.stop(), 0)
})

t.test('a start that is to send traces and lacks the packages is refused, with the command that installs them', async (t) => {
  const main = await copyWithoutObservers(t)
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  const refused = await startProgram(t, endpoint, ['serve'], dirname(main), main).catch((error: Error) => error.message)
  const { peerDependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const traces = Object.entries(peerDependencies).filter(([name]) => name !== 'openapi-fetch')
  const wanted = traces.map(([name, range]) => `${name}@${String(range)}`)
  t.equal(
    refused,
    'petstore serve ended with 78: ' +
      'petstore: OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that trace are not installed. ' +
      `Install them: npm install --no-save ${wanted.join(' ')}. Or unset the variable.\n`
  )
  for (const [name, range] of traces) t.equal(devDependencies[name], range)
})
