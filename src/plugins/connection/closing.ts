import type { Server, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../../domain/errors.js'
import { hasToSend, isLastAnswer } from './answer-queue.js'
import { refuse } from './malformed.js'
import { connectionsBetweenRequests } from './node-internals.js'

export interface ClosingOptions {
  /** Set when the process is about to stop. */
  lifecycle: { draining: boolean }
}

/** After so many turns of the event loop without a new connection, the backlog of a server is empty. */
const QUIET_TURNS = 3
/** How long the backlog is accepted at most, in milliseconds. */
const ACCEPTING = 2_000
/** How long the requests that have arrived may take once the server closes, in milliseconds; they are cut then. */
const GRACE = 10_000
/** How long it waits for what has not arrived whole, since it closes and since the last answer, in milliseconds. */
const QUIET = 1_000
/** How often a server that closes looks at its connections, in milliseconds. */
const INTERVAL = 100

/**
 * Lets a server that stops finish what has begun. Node takes a connection for idle as soon as its answer was made,
 * though most of it may still have to be sent, and for busy where nothing was ever sent over it, as browsers open
 * connections ahead of need. So `closeIdleConnections` is another one here. It lets what the system holds of the last
 * answers arrive. A client that goes on sending its request keeps no server: it is refused.
 */
export const closing = fp<ClosingOptions>(
  async (app, { lifecycle }) => {
    const connections = new Set<Socket>()
    let lastAnswer = -Infinity
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
      if (lifecycle.draining) {
        lastAnswer = performance.now()
        endWithLastAnswer(reply)
      }
      done()
    })
    app.addHook('preClose', async () => {
      await acceptBacklog(app.server)
      const since = performance.now()
      const timer = setInterval(() => {
        app.server.closeIdleConnections()
        const now = performance.now()
        if (now - Math.max(since, lastAnswer) >= QUIET) refuseArriving(app, connections)
        if (now - since >= GRACE) app.server.closeAllConnections()
      }, INTERVAL)
      app.server.once('close', () => clearInterval(timer))
    })
  },
  { name: 'closing', dependencies: ['under-way'] }
)

/** Accepts the connections that wait in the backlog of a server: they would be reset when it stops listening. */
async function acceptBacklog (server: Server): Promise<void> {
  let turns = 0
  const onConnection = (): void => {
    turns = 0
  }
  server.on('connection', onConnection)
  const end = performance.now() + ACCEPTING
  while (turns++ < QUIET_TURNS && performance.now() < end) await nextTurn()
  server.off('connection', onConnection)
}

/** Ends a connection with the answer to the last request that has arrived; Fastify would end it with the first. */
function endWithLastAnswer (reply: FastifyReply): void {
  if (isLastAnswer(reply.raw)) reply.header('Connection', 'close')
  else reply.raw.removeHeader('Connection')
}

/** Refuses the requests of which only a part has arrived. Of some the headers are whole, of others not even those. */
function refuseArriving (app: FastifyInstance, connections: Set<Socket>): void {
  const stopping = new ApiError('unavailable', 'The service is stopping.', { 'Retry-After': '1' })
  const withHead = [...connections].filter((socket) => !hasToSend(socket) && !socket.writableEnded)
  const withBody = app.underWay.endThose(
    ({ request, raw }) => !request.raw.complete && !raw.headersSent,
    (reply) => reply.send(stopping)
  )
  for (const socket of withHead) refuse(app, socket, stopping)
  const requests = withBody + withHead.length
  if (requests > 0) app.log.warn({ requests }, 'refused what had not arrived')
}
