import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { faultOf } from '../../../scripts/http/refusal.js'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import { recordingLogger } from '../../support/log.js'
import { startService, type Service } from '../../support/service.js'

const OPERATIONS: [method: string, path: string, body?: object][] = [
  ['GET', '/pets'],
  ['POST', '/pets', { name: 'Rex', categoryId: 1 }],
  ['GET', '/pets/1']
]
const READINESS = 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const SECRET = 'password=hunter2 at /srv/petstore'

/** Services of which a part of the storage does something else than it should. */
function failing (part: keyof Service['repositories'], fail: () => unknown) {
  const fails = new Proxy({}, { get: (_, method) => (method === 'mark' ? () => undefined : async () => fail()) })
  return { wrap: (repositories: Service['repositories']) => ({ ...repositories, [part]: fails }) }
}

for (const part of ['pets', 'apiKeys', 'usage'] as const) {
  t.test(`when the storage of ${part} fails, every operation is a 503 that says when to come back`, async (t) => {
    const { call } = await startService(
      t,
      failing(part, () => {
        throw new StorageUnavailable(SECRET)
      })
    )
    for (const [method, path, body] of OPERATIONS) {
      const { status, json, headers, text } = await call(method, path, { body })
      t.same(
        { status, code: json.code, retryAfter: headers.get('retry-after') },
        { status: 503, code: 'unavailable', retryAfter: '1' },
        `${method} ${path}`
      )
      t.notMatch(text, SECRET)
    }
  })

  t.test(`what an unforeseen failure of ${part} says is not for the caller`, async (t) => {
    const traits = {
      headers: { 'X-Secret': SECRET, 'Set-Cookie': SECRET, 'Content-Type': 'text/plain' },
      expose: true,
      body: SECRET,
      detail: SECRET
    }
    const failures: [title: string, fail: () => unknown][] = [
      ...[undefined, 200, 302, 400, 401, 404, 503, 999].map((statusCode): [string, () => unknown] => [
        `an Error with the status ${statusCode}`,
        () => {
          throw Object.assign(new Error(SECRET), traits, { statusCode, status: statusCode, code: SECRET })
        }
      ]),
      [
        'a TypeError',
        () => {
          throw new TypeError(SECRET)
        }
      ],
      [
        'an Error with a number as its code',
        () => {
          throw Object.assign(new Error(SECRET), { code: 42 })
        }
      ],
      [
        'a text',
        () => {
          throw SECRET
        }
      ],
      [
        'undefined',
        () => {
          throw undefined // eslint-disable-line no-throw-literal
        }
      ],
      [
        'null',
        () => {
          throw null // eslint-disable-line no-throw-literal
        }
      ]
    ]
    for (const [title, fail] of failures) {
      const { call } = await startService(t, failing(part, fail))
      for (const [method, path, body] of OPERATIONS) {
        const { status, json, headers, text } = await call(method, path, { body })
        t.same(
          { status, json },
          {
            status: 500,
            json: {
              code: 'internal_error',
              message: 'The service failed. Quote the X-Request-Id header when you report this.',
              status: 500
            }
          },
          `${title}: ${method} ${path}`
        )
        t.notMatch(text + JSON.stringify([...headers]), 'hunter2')
        t.same([headers.get('x-secret'), headers.get('set-cookie')], [null, null])
      }
    }
  })
}

t.test('a record that the document does not allow is a 500 and never an answer', async (t) => {
  for (const record of [1, [], { id: SECRET }, { id: 1, name: SECRET }]) {
    const { call } = await startService(
      t,
      failing('pets', () => ({ value: record }))
    )
    const { status, text } = await call('GET', '/pets/1')
    t.equal(status, 500, JSON.stringify(record))
    t.notMatch(text, 'hunter2')
  }
})

t.test('/readyz is an Error when the database fails and when the service is stopping', async (t) => {
  const broken = await startService(t, { ping: () => Promise.reject(new StorageUnavailable(SECRET)) })
  const stopping = await startService(t)
  stopping.lifecycle.draining = true
  for (const service of [broken, stopping]) {
    const reply = parseReply(await sendRaw(service.port, READINESS))
    t.same({ status: reply.status, retryAfter: reply.headers['retry-after'] }, { status: 503, retryAfter: '1' })
    t.equal(faultOf(reply), undefined)
  }
})

t.test('what fails for want of the storage is logged once with its stack, and then with a count', async (t) => {
  const { lines, logger } = recordingLogger('error')
  const { app, call } = await startService(t, { ...failing('pets', () => fail()), logger })
  function fail (): never {
    throw new StorageUnavailable('no room')
  }
  for (let i = 0; i < 20; i++) t.equal((await call('GET', '/pets')).status, 503)
  t.match(lines.map((line) => JSON.parse(line)), [{ msg: 'request failed', err: { stack: /no room/ } }])
  app.outages.tell()
  app.outages.tell()
  t.equal(lines.length, 2)
  t.match(JSON.parse(lines[1]!), { cause: 'no room', count: 19, msg: 'more requests failed for the same cause' })
  await call('GET', '/pets')
  t.match(JSON.parse(lines[2]!), { msg: 'request failed' }, 'another outage')
})

t.test('a value that is not in its enumeration is a 500, and the log names its place', async (t) => {
  const { lines, logger } = recordingLogger('error')
  const { call, repositories } = await startService(t, { logger })
  await repositories.pets.create({ name: 'Rex', categoryId: 1, status: 'sold' })
  await repositories.pets.create({ name: 'Ada', categoryId: 1, status: 'gone' as never })
  for (const [path, place] of [
    ['/pets', '1.status'],
    ['/pets/2', 'status'],
    ['/inventory', '1.status']
  ] as const) {
    const { status, json } = await call('GET', path)
    t.same([status, json.code], [500, 'internal_error'], path)
    const { err, msg } = JSON.parse(lines.at(-1)!)
    t.equal(msg, 'request failed')
    t.equal(
      err.message,
      `The answer does not fit the document: '${place}' must be one of: available, pending, sold.`,
      path
    )
  }
  t.equal((await call('GET', '/pets/1')).status, 200)
})
