import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { readDocument } from '../../../src/contract/document/document.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { Answer } from '../../../src/contract/response/answer.js'
import { registerRoutes } from '../../../src/contract/routes.js'
import { ApiError, StorageUnavailable } from '../../../src/domain/errors.js'
import { errors } from '../../../src/plugins/answer/errors.js'
import { idempotency } from '../../../src/plugins/operation/idempotency.js'
import { openStorage } from '../../../src/storage/open.js'
import { TestClock } from '../../support/clock.js'
import { document, startService, type Reply, type Service } from '../../support/service.js'
import { until } from '../../support/until.js'

const rex = { name: 'Rex', categoryId: 7 }
const send = (
  { call }: Service,
  key: string,
  body: unknown = rex,
  options: { key?: string; raw?: string } = {}
): Promise<Reply> => call('POST', '/pets', { body, headers: { 'idempotency-key': key }, ...options })
const pets = async ({ call }: Service): Promise<number> => (await call('GET', '/pets?limit=100')).json.length
const shown = ({ status, json }: Reply) => [status, json.code]

t.test('every POST of the document takes an Idempotency-Key and declares what comes of it', async (t) => {
  for (const { operationId, method, parameters, responses, success } of operationsOf(document)) {
    if (method !== 'post') continue
    t.ok(
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key'),
      operationId
    )
    t.ok(
      responses.get('409') && responses.get('422') && responses.get(String(success))?.headers?.['Idempotent-Replayed'],
      operationId
    )
  }
})

t.test('the same request with the same key is done once and answered the same, byte for byte', async (t) => {
  const service = await startService(t)
  const first = await send(service, 'order-1')
  t.same([first.status, first.headers.get('idempotent-replayed')], [201, null])
  for (const key of ['order-1', '"order-1"']) {
    const again = await send(service, key)
    t.same(
      [again.status, again.text, again.headers.get('idempotent-replayed'), again.headers.get('content-type')],
      [201, first.text, 'true', 'application/json; charset=utf-8'],
      key
    )
  }
  const reordered = await send(service, 'order-1', undefined, { raw: '{ "categoryId": 7.0,\n "name": "Rex" }' })
  t.same([reordered.status, reordered.text], [201, first.text], 'the order of members and blanks do not count')
  t.equal(await pets(service), 1)
  t.not((await send(service, 'order-2')).text, first.text, 'another key is another request')
  t.not((await service.call('POST', '/pets', { body: rex })).text, first.text, 'and so is none')
  t.equal(await pets(service), 3)
})

t.test('a repetition counts against the limits and has headers of its own', async (t) => {
  const service = await startService(t)
  const { secret: key } = await service.makeKey()
  const first = await send(service, 'a', rex, { key })
  const again = await send(service, 'a', rex, { key })
  t.same([first.headers.get('x-ratelimit-remaining'), again.headers.get('x-ratelimit-remaining')], ['59', '58'])
  t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
})

t.test('the same key with another request is a 422, and changes nothing', async (t) => {
  const service = await startService(t)
  const first = await send(service, 'a')
  for (const body of [
    { ...rex, name: 'Ada' },
    { ...rex, status: 'sold' }
  ]) {
    t.same(shown(await send(service, 'a', body)), [422, 'idempotency_key_reused'])
  }
  t.equal((await send(service, 'a')).text, first.text)
  t.equal(await pets(service), 1)
})

t.test('keys of one API key are nothing to another', async (t) => {
  const service = await startService(t)
  const { secret: key } = await service.makeKey()
  const mine = await send(service, 'a')
  const theirs = await send(service, 'a', rex, { key })
  t.equal(theirs.headers.get('idempotent-replayed'), null)
  t.not(theirs.json.id, mine.json.id)
})

t.test('an answer is kept for 24 hours', async (t) => {
  const service = await startService(t)
  const first = await send(service, 'a')
  service.clock.advance(24 * 3_600_000 - 1)
  t.equal((await send(service, 'a')).text, first.text)
  service.clock.advance(1)
  t.equal((await send(service, 'a', { ...rex, name: 'Ada' })).status, 201)
})

t.test('after a refusal nothing is kept, so the key may be sent with a request that is right', async (t) => {
  const service = await startService(t)
  t.equal((await send(service, 'a', { name: '' })).status, 400)
  t.equal((await send(service, 'a', rex, { key: 'wrong' })).status, 401)
  t.equal((await send(service, 'a', 'x'.repeat(20_000))).status, 413)
  t.same([(await send(service, 'a')).headers.get('idempotent-replayed'), await pets(service)], [null, 1])
})

t.test('a key that is no key is a 400 that says what one is, and nothing is made', async (t) => {
  const service = await startService(t)
  const good = [
    'a',
    '"a b"'.replace(' ', '_'),
    'x'.repeat(255),
    `"${'y'.repeat(255)}"`,
    randomUUID(),
    'order:17/2;a=b,c',
    "!#$%&'()*+,-./:;<=>?@[]^_`{|}~"
  ]
  const bad = [
    '',
    '""',
    '"',
    '"a',
    'a"',
    'a b',
    '"a b"',
    '"a";b=1',
    '"a", "b"',
    'a, b',
    '\\',
    '"a\\"b"',
    'x'.repeat(256),
    `"${'y'.repeat(256)}"`,
    'schlüssel',
    '"\u00e9"'
  ]
  for (const key of good) t.equal((await send(service, key)).status, 201, key)
  for (const key of bad) {
    const { status, json } = await send(service, key)
    t.same([status, json.code], [400, 'bad_request'], key)
    t.equal(
      json.message,
      'Header \'Idempotency-Key\' must have 1 to 255 visible ASCII characters other than " and \\, ' +
        'and may stand in double quotes; a UUID is best.'
    )
  }
  t.equal(await pets(service), good.length)
})

t.test('of requests at the same time one is answered, the others get 409 with Retry-After', async (t) => {
  const service = await startService(t)
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(service, 'a')))
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    t.same([...shown(reply), reply.headers.get('retry-after')], [409, 'idempotency_key_in_use', '1'])
  }
  const made = replies.filter(({ status }) => status === 201)
  t.ok(made.length >= 1)
  const again = await send(service, 'a')
  for (const { text } of made) t.equal(text, again.text)
  t.equal(await pets(service), 1)
})

t.test('a storage that fails leaves neither a pet nor its key', async (t) => {
  let broken = false
  const service = await startService(t, {
    wrap: (repositories) => ({
      ...repositories,
      pets: {
        ...repositories.pets,
        async create (pet) {
          const made = await repositories.pets.create(pet)
          if (broken) throw new StorageUnavailable('no disk')
          return made
        }
      }
    })
  })
  broken = true
  t.equal((await send(service, 'a')).status, 503)
  t.equal(await pets(service), 0)
  broken = false
  t.same([(await send(service, 'a')).status, await pets(service)], [201, 1])
})

t.test('30 keys, each sent six times, three at a time: 30 pets', async (t) => {
  const service = await startService(t)
  const keys = Array.from({ length: 90 }, (_, index) => `key-${index % 30}`)
  const texts = new Map<string, Set<string>>(keys.map((key) => [key, new Set()]))
  for (const round of [1, 2]) {
    await Promise.all(
      keys.map(async (key) => {
        const { status, text } = await send(service, key, { name: key, categoryId: 1 })
        if (status === 201) texts.get(key)!.add(text)
        else if (status !== 409 || round === 2) t.fail(`${key} was answered ${status}`)
      })
    )
  }
  for (const [key, different] of texts) t.equal(different.size, 1, key)
  t.equal(await pets(service), 30)
})

/** The mechanism by itself, on operations that the service does not have. */
async function startSmall (t: Test) {
  const key = { name: 'idempotency-key', in: 'header', schema: { type: 'string' } }
  const responses = {
    200: {
      description: 'Done.',
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } }
    }
  }
  const small = await readDocument(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Jobs', version: '1.0.0' },
      paths: {
        '/jobs': { post: { operationId: 'runJob', parameters: [key], responses } },
        '/jobs/{id}': {
          delete: {
            operationId: 'endJob',
            parameters: [key, { name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 204: { description: 'Gone.' } }
          }
        },
        '/plain': { post: { operationId: 'runPlain', responses } }
      }
    })
  )
  const storage = await openStorage(`sqlite:${join(t.testdir(), 'petstore.db')}`, { owner: true })
  const runs: string[] = []
  let failing: Error | undefined
  let wait: Promise<void> = Promise.resolve()
  const run = (name: string, answer: unknown) => async () => {
    runs.push(name)
    await wait
    if (failing) throw failing
    return answer
  }
  const app = fastify()
  t.teardown(async () => {
    await app.close()
    await storage.close()
  })
  app.decorateRequest('apiKey', null)
  await app.register(errors)
  registerRoutes(app, {
    document: small,
    operations: operationsOf(small),
    handlers: {
      runJob: run('job', new Answer({ job: 1 }, { Location: '/jobs/1', Link: '</jobs>; rel="up"' })),
      endJob: run('end', undefined),
      runPlain: run('plain', {})
    },
    securitySchemes: {},
    interceptors: [idempotency({ repository: storage.repositories.idempotency, clock: new TestClock() })]
  })
  const inject = (method: 'POST' | 'DELETE', url: string, key = 'a') =>
    app.inject({ method, url, headers: { 'idempotency-key': key } })
  return {
    inject,
    runs,
    fail: (error?: Error) => {
      failing = error
    },
    hold: (until: Promise<void>) => {
      wait = until
    }
  }
}

t.test(
  'it is any operation for which the document declares the header; status and headers of the handler come again too',
  async (t) => {
    const { inject, runs } = await startSmall(t)
    for (const replayed of [undefined, 'true']) {
      const job = await inject('POST', '/jobs')
      t.same(
        [job.statusCode, job.headers.location, job.headers.link, job.body, job.headers['idempotent-replayed']],
        [200, '/jobs/1', '</jobs>; rel="up"', '{"job":1}', replayed]
      )
      const end = await inject('DELETE', '/jobs/1', 'b')
      t.same(
        [end.statusCode, end.body, end.headers['content-type'], end.headers['idempotent-replayed']],
        [204, '', undefined, replayed]
      )
      t.equal(
        (await inject('POST', '/plain')).headers['idempotent-replayed'],
        undefined,
        'not declared: a header like any other'
      )
    }
    t.same(runs, ['job', 'end', 'plain', 'plain'])
    t.equal((await inject('DELETE', '/jobs/2', 'b')).statusCode, 422, 'another address')
    t.equal((await inject('DELETE', '/jobs/1', 'a')).statusCode, 422, 'another operation')
  }
)

t.test('the error of a handler is not kept', async (t) => {
  const { inject, runs, fail } = await startSmall(t)
  fail(new ApiError('conflict'))
  for (let i = 0; i < 2; i++) t.equal((await inject('POST', '/jobs')).statusCode, 409)
  fail()
  t.equal((await inject('POST', '/jobs')).statusCode, 200)
  t.equal(runs.length, 3)
})

t.test('while the first is being answered, a second is told so at once, and has the answer later', async (t) => {
  const { inject, runs, hold } = await startSmall(t)
  let release!: () => void
  hold(
    new Promise((resolve) => {
      release = resolve
    })
  )
  const first = inject('POST', '/jobs')
  await until(async () => runs.length > 0)
  const second = await inject('POST', '/jobs')
  t.same([second.statusCode, second.headers['retry-after']], [409, '1'])
  release()
  t.same([(await first).body, (await inject('POST', '/jobs')).body, runs.length], ['{"job":1}', '{"job":1}', 1])
})
