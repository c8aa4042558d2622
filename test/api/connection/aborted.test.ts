import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { recordingLogger } from '../../support/log.js'
import { startService } from '../../support/service.js'

t.test('clients that break their connections off are no fault of the service', async (t) => {
  const { lines, logger } = recordingLogger('warn')
  const { port, call, fetch, key } = await startService(t, { logger })
  const get = (authorization: string) => `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`
  const requests = [
    get(''),
    get(`Authorization: Bearer ${key}\r\n`),
    'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name":'
  ]
  for (const request of requests) {
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(request.repeat(20))
        socket.resetAndDestroy()
      })
      socket.on('error', () => {})
    }
  }
  await sleep(500)
  t.same(lines, [])
  t.equal((await fetch('GET', '/readyz')).status, 200)
  t.equal((await call('GET', '/pets')).text, '[]')
})
