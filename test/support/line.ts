import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Line {
  /** The URL that leads over it. */
  url: string
  /** From now on nothing passes, and nobody is told: as with a server that hangs. */
  cut(): void
  /**
   * From the next text of a client on that has this in it, all is lost but that text itself: the server gets it, all
   * connections end, and no new ones are had.
   */
  breakAfter(text: string): void
  /** Lets new connections be had again. */
  mend(): void
  /** Sends new connections to the server at another URL, while those that are open stay where they are. */
  lead(url: string): void
  /** Ends all connections. */
  hangUp(): void
}

/** A line to the server at a URL, which goes dead by itself when a client says the text `until`. Ends with the test. */
export async function startLine (t: Test, url: string, until?: string): Promise<Line> {
  let target = new URL(url)
  const sockets = new Set<Socket>()
  let dead = false
  let breaking: string | undefined
  let broken = false
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (chunk) => {
      if (breaking !== undefined && chunk.includes(breaking)) {
        breaking = undefined
        broken = true
        to.end(chunk)
        for (const socket of sockets) if (socket !== to) socket.destroy()
        return
      }
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
    if (broken) {
      client.destroy()
      return
    }
    const behind = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    pass(client, behind)
    pass(behind, client)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    hangUp()
    server.close()
  })
  const over = new URL(url)
  over.port = String((server.address() as AddressInfo).port)
  return {
    url: over.href,
    cut: () => {
      dead = true
    },
    breakAfter: (text) => {
      breaking = text
    },
    mend: () => {
      broken = false
    },
    lead: (url) => {
      target = new URL(url)
    },
    hangUp
  }
}
