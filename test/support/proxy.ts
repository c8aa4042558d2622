import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/**
 * A proxy that puts a prefix before every path and takes it away again: gives the address under which it shows
 * `target`. Ends with the test.
 */
export async function startProxy (t: Test, target: string, prefix: string): Promise<string> {
  const server = createServer((asked, answer) => {
    if (!asked.url!.startsWith(`${prefix}/`)) {
      answer.writeHead(404).end()
      return
    }
    const passed = request(
      target + asked.url!.slice(prefix.length),
      { method: asked.method!, headers: asked.headers },
      (got) => {
        answer.writeHead(got.statusCode!, got.headers)
        got.pipe(answer)
      }
    )
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
}
