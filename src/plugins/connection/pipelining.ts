import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { enqueueAnswer } from './answer-queue.js'
import { addPendingBytes } from './node-internals.js'
import { limitChunks, parseInTurn } from './node-parser.js'
import { takeOverRequests, takeTurn } from './turns.js'

/**
 * Serves one request of a connection at a time, each in a turn of its own: a client may send thousands before it reads
 * the first answer (RFC 9112, section 9.3.2), and no other connection may wait for all of them, nor may they fill the
 * memory: what has not arrived stays with the client until the turn of what has. What stands behind an answer that
 * closes the connection is not served (section 9.6).
 */
export const pipelining = fp(
  async (app) => {
    const serve = takeOverRequests(app.server)
    app.server.on('connection', (socket: Socket) => {
      parseInTurn(socket)
      limitChunks(socket, (error) => app.server.emit('clientError', error, socket))
    })
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      if (!socket.writable) return
      const before = enqueueAnswer(socket, response)
      if (!before) return serve(request, response)
      // Node stops reading a connection that has more than this to send.
      const enough = socket.writableHighWaterMark + 1
      addPendingBytes(response, enough)
      before.once('close', () =>
        takeTurn(() => {
          addPendingBytes(response, -enough)
          if (socket.writable) serve(request, response)
          else response.emit('close')
        })
      )
    })
  },
  { name: 'pipelining' }
)
