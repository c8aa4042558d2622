import fp from 'fastify-plugin'
import { ApiError } from '../../domain/errors.js'

export interface HealthOptions {
  /** Set when the process is about to stop. */
  lifecycle: { draining: boolean }
  /** Rejects when the database does not answer; else tells whether it can write too. */
  ping: () => Promise<{ writable: boolean }>
  /** Whether requests are served, but their limits not counted exactly. */
  degraded: () => boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether this route is polled by probes, whose successes are of no interest. */
    probe?: boolean
  }
  interface FastifyInstance {
    /**
     * Tells how well the server can serve calls.
     * @throws {ApiError} when it cannot
     */
    readiness(): Promise<'ready' | 'degraded' | 'read-only'>
  }
}

/** /healthz: the process answers. /readyz: it can serve and is not about to stop. Neither needs a key. */
export const health = fp<HealthOptions>(
  async (app, { lifecycle, ping, degraded }) => {
    app.get('/healthz', { config: { probe: true } }, async () => ({ status: 'ok' }))
    app.decorate('readiness', async () => {
      if (lifecycle.draining) throw new ApiError('unavailable', 'The service is stopping.', { 'Retry-After': '1' })
      const { writable } = await ping()
      if (!writable) return 'read-only'
      return degraded() ? 'degraded' : 'ready'
    })
    app.get('/readyz', { config: { probe: true } }, async () => ({ status: await app.readiness() }))
  },
  { name: 'health' }
)
