import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { conformanceOf } from '../../scripts/http/conformance.js'
import { buildMock, type MockOptions } from '../../src/mock.js'
import { document, guide, sendTo, SETTINGS, source, types, type Service } from './service.js'

export interface Mock extends Pick<Service, 'app' | 'root' | 'port' | 'call' | 'fetch'> {}

type Options = Partial<MockOptions['settings'] & Pick<MockOptions, 'document' | 'source' | 'requireKey'>>

/**
 * The mock of the service's document, or of another, on a port of its own until the test ends. Each answer to `call` is
 * checked against the document.
 */
export async function startMock (
  t: Test,
  { document: mocked = document, source: text = source, requireKey = false, ...settings }: Options = {}
): Promise<Mock> {
  const app = await buildMock({
    document: mocked,
    source: text,
    types,
    guide: mocked === document ? guide : undefined,
    requireKey,
    logger: false,
    settings: { ...SETTINGS, ...settings }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const root = `http://127.0.0.1:${port}`
  const send = sendTo(root)
  const faultOf = conformanceOf(mocked)
  const call: Service['call'] = async (method, path, options = {}) => {
    const reply = await send(method, `/v1${path}`, options)
    const fault = faultOf(method, path, reply)
    if (fault) t.fail(`${method} ${path} answered ${reply.status}: ${fault}`, { found: reply.text })
    return reply
  }
  return { app, root, port, call, fetch: send }
}
