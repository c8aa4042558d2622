import { rename } from 'node:fs/promises'
import t from 'tap'
import { linesOf, startTraced } from './traced.js'

t.test('spans are named after the routes of the document, whatever the answer', async (t) => {
  const { program, receiver, secret: key, fetch } = await startTraced(t)
  const calls: [method: string, path: string, route?: string][] = [
    ['GET', '/v1/pets/1', '/v1/pets/{petId}'],
    ['HEAD', '/v1/pets/x', '/v1/pets/{petId}'],
    ['PUT', '/v1/pets/1', '/v1/pets/{petId}'],
    ['OPTIONS', '/v1/pets/1', '/v1/pets/{petId}'],
    ['PATCH', '/v1/inventory/1?x', '/v1/inventory/{petId}'],
    ['DELETE', '/v1/store/orders/1', '/v1/store/orders/{orderId}'],
    ['GET', '/v1/pets', '/v1/pets'],
    ['GET', '/guide', '/guide'],
    ['GET', '/v1/nothing']
  ]
  for (const [method, path] of calls) await fetch(method, path, { key })
  await program.stop()
  const requests = receiver.spans.filter(({ parentSpanId }) => !parentSpanId)
  t.same(
    requests.map(({ name, attributes }) => [name, attributes['http.route']]),
    calls.map(([method, , route]) => [route === undefined ? method : `${method} ${route}`, route])
  )
  const lines = linesOf(program).filter(({ msg }) => msg === 'answered')
  t.same(lines.map(({ route }) => route), calls.map(([, , route]) => route))
})

t.test('a healthy probe has no span and a line of debug; one that fails has both like any request', async (t) => {
  for (const LOG_LEVEL of ['info', 'debug']) {
    const { program, receiver, file, fetch } = await startTraced(t, { LOG_LEVEL })
    for (const path of ['/healthz', '/readyz']) {
      for (const method of ['GET', 'HEAD']) t.equal((await fetch(method, path)).status, 200)
    }
    await rename(file, `${file}.gone`)
    t.equal((await fetch('GET', '/readyz')).status, 503)
    t.equal((await fetch('PUT', '/healthz')).status, 405)
    await program.stop()
    t.same(receiver.spans.map(({ name }) => name).sort(), ['GET /readyz', 'PUT'])
    const levels = linesOf(program).flatMap(({ msg, level }) => (msg === 'answered' ? [level] : []))
    t.same(levels, [...(LOG_LEVEL === 'debug' ? [20, 20, 20, 20] : []), 30, 30])
  }
})
