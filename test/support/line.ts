import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Line {
  /** The URL that leads over it. */
  url: string
  /** From now on nothing passes, and nobody is told: as with a server that hangs. */
  cut(): void
}

/** A line to the server at a URL, which goes dead by itself when a client says the text `until`. Ends with the test. */
export async function startLine (t: Test, url: string, until?: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let dead = false
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (chunk) => {
      if (until !== undefined && chunk.includes(until)) dead = true
      if (!dead) to.write(chunk)
    })
    from.on('end', () => {
      if (!dead) to.end()
    })
    from.on('close', () => sockets.delete(from))
    from.on('error', () => {})
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const behind = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    pass(client, behind)
    pass(behind, client)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const over = new URL(url)
  over.port = String((server.address() as AddressInfo).port)
  return {
    url: over.href,
    cut: () => {
      dead = true
    }
  }
}
