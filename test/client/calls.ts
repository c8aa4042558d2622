import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPetstore, type Options } from 'petstore/types/client'
import type { Test } from 'tap'

/** A client, and the requests that it sends, in order. */
export function watched (root: string, options: Partial<Options> = {}) {
  const sent: Request[] = []
  const client = createPetstore({
    baseUrl: `${root}/v1`,
    fetch: (request) => {
      sent.push(request.clone())
      return fetch(request)
    },
    ...options
  })
  return { client, sent }
}

/** Starts a server that is not the service, such as a proxy in front of it. Returns its address; ends with the test. */
export async function startOther (t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
