import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

/**
 * One request of a connection at a time, each in a turn of its own: a client may send thousands before it reads the
 * first answer (RFC 9112, section 9.3.2), and no other connection may wait for all of them, nor may they fill the
 * memory: what has not arrived stays with the client until the turn of what has. What stands behind an answer that
 * closes the connection is not served (section 9.6).
 */
export const pipelining = fp(
  async (app) => {
    const [serve, ...others] = app.server.listeners('request') as ((
      request: IncomingMessage,
      response: ServerResponse
    ) => void)[]
    if (!serve || others.length > 0) throw new Error('The server must have exactly one listener for its requests.')
    const last = new WeakMap<Socket, ServerResponse>()
    app.server.removeListener('request', serve)
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      if (!socket.writable) return
      const before = last.get(socket)
      last.set(socket, response)
      if (!before || before.writableFinished) return serve(request, response)
      // Node stops reading a connection that has more than this to send.
      const much = socket.writableHighWaterMark + 1
      owe(response, much)
      before.once('close', () =>
        setImmediate(() => {
          owe(response, -much)
          if (socket.writable) serve(request, response)
          else response.emit('close')
        })
      )
    })
  },
  { name: 'pipelining' }
)

/** Tells Node that a connection has so many bytes more to send; Node has no public name for it. */
function owe (response: ServerResponse, bytes: number): void {
  ;(response as ServerResponse & { _onPendingData: (bytes: number) => void })._onPendingData(bytes)
}
