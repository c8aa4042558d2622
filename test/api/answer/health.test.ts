import t from 'tap'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import { startService } from '../../support/service.js'

t.test('/healthz and /readyz need no key', async (t) => {
  const { fetch } = await startService(t)
  t.same((await fetch('GET', '/healthz')).json, { status: 'ok' })
  t.same((await fetch('GET', '/readyz')).json, { status: 'ready' })
})

t.test('without its database the service lives, but is not ready', async (t) => {
  const { fetch } = await startService(t, {
    ping: async () => {
      throw new StorageUnavailable('disk on fire at /srv/secret')
    }
  })
  t.equal((await fetch('GET', '/healthz')).status, 200)
  const { status, json, headers } = await fetch('GET', '/readyz')
  t.same(
    { status, json },
    {
      status: 503,
      json: {
        code: 'unavailable',
        message: 'The service cannot answer now. Wait as long as the Retry-After header says.',
        status: 503
      }
    }
  )
  t.equal(headers.get('retry-after'), '1')
})

t.test('while nothing can be written the service is ready to be read', async (t) => {
  const { fetch } = await startService(t, { ping: async () => ({ writable: false }) })
  const { status, json } = await fetch('GET', '/readyz')
  t.same({ status, json }, { status: 200, json: { status: 'read-only' } })
})

t.test('a service that is about to stop is not ready, closes its connections and still answers', async (t) => {
  const { fetch, call, lifecycle } = await startService(t)
  lifecycle.draining = true
  const ready = await fetch('GET', '/readyz')
  t.equal(ready.status, 503)
  t.equal(ready.json.code, 'unavailable')
  t.equal((await fetch('GET', '/healthz')).status, 200)
  const list = await call('GET', '/pets')
  t.equal(list.status, 200)
  t.equal(list.headers.get('connection'), 'close')
})
