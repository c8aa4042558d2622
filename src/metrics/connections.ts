import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { collectedCounter, collectedGauge } from './collected.js'

/** Why bytes never became a request, by the codes of Node's parser; any other is `malformed`. */
const REASONS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ECONNRESET: 'reset'
}

/** Measures the connections of a server, and the requests on them that it has not served. */
export function measureConnections (
  registry: Registry,
  app: Pick<FastifyInstance, 'server' | 'untaken' | 'refusals' | 'underWay' | 'addHook'>
): void {
  const { server, untaken, refusals } = app
  const registers = [registry]
  collectedGauge(registry, {
    name: 'petstore_connections',
    help: 'Open connections of clients.',
    read: async () => [[{}, await openConnections(server)]]
  })
  collectedGauge(registry, {
    name: 'petstore_connections_max',
    help: 'Open connections above which more are refused: MAX_CONNECTIONS.',
    read: () => [[{}, server.maxConnections]]
  })
  const refused = new Counter({
    name: 'petstore_connections_refused_total',
    help: 'Connections that were refused, as there were too many.',
    registers
  })
  server.on('drop', () => refused.inc())
  const unparsed = new Counter({
    name: 'petstore_requests_unparsed_total',
    help: 'What arrived and never became a request, by reason: slow, malformed, headers_too_large, body_too_large, reset.',
    labelNames: ['reason'],
    registers
  })
  for (const reason of [...Object.values(REASONS), 'malformed']) unparsed.inc({ reason }, 0)
  // Node tells of the same connection again while it ends, and of the rest of a body whose request was answered.
  const known = new WeakSet<object>()
  app.addHook('onResponse', ({ raw: { complete, socket } }, _reply, done) => {
    if (!complete) known.add(socket)
    done()
  })
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (known.has(socket)) return
    known.add(socket)
    const belongs = ({ socket: own, complete }: IncomingMessage) => own === socket && (code === 'ECONNRESET' || !complete)
    if (app.underWay.list().some(({ request }) => belongs(request.raw))) return
    unparsed.inc({ reason: REASONS[code] ?? 'malformed' })
  })
  collectedCounter(registry, {
    name: 'petstore_requests_refused_total',
    help:
      'Requests that got an early 503, as there was too much to do, by reason: wait for those behind one that waited ' +
      'too long for its turn, under_way where too many were under way.',
    labelNames: ['reason'],
    read: () => Object.entries(refusals).map(([reason, count]) => [{ reason }, count])
  })
  collectedCounter(registry, {
    name: 'petstore_connections_cut_total',
    help: 'Connections that were cut, as their client took nothing of its answer.',
    read: () => [[{}, untaken.cut]]
  })
  collectedCounter(registry, {
    name: 'petstore_connections_abandoned_total',
    help: 'Connections that ended before all of their answers were taken, those that were cut among them.',
    read: () => [[{}, untaken.abandoned]]
  })
  collectedGauge(registry, {
    name: 'petstore_untaken_bytes',
    help: 'Memory held by answers that clients have not taken, and by the requests behind them.',
    read: () => [[{}, untaken.bytes]]
  })
}

function openConnections (server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
