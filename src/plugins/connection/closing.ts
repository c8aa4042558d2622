import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { hasToSend, isLastAnswer } from './answer-queue.js'
import { connectionsBetweenRequests } from './node-internals.js'

export interface ClosingOptions {
  /** Set when the process is about to stop. */
  lifecycle: { draining: boolean }
}

/**
 * Lets a server that stops finish what has begun. Node takes a connection for idle as soon as its answer was made,
 * though most of it may still have to be sent, and for busy where nothing was ever sent over it, as browsers open
 * connections ahead of need. So `closeIdleConnections` is another one here. It lets what the system holds of the last
 * answers arrive.
 */
export const closing = fp<ClosingOptions>(
  async (app, { lifecycle }) => {
    const connections = new Set<Socket>()
    app.server.on('connection', (socket: Socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    app.server.closeIdleConnections = () => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      for (const socket of connectionsBetweenRequests(app.server)) {
        if (!hasToSend(socket) && !socket.writableEnded) socket.destroySoon()
      }
    }
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (lifecycle.draining) endWithLastAnswer(reply)
      done()
    })
  },
  { name: 'closing' }
)

/** Ends a connection with the answer to the last request that has arrived; Fastify would end it with the first. */
function endWithLastAnswer (reply: FastifyReply): void {
  if (isLastAnswer(reply.raw)) reply.header('Connection', 'close')
  else reply.raw.removeHeader('Connection')
}
