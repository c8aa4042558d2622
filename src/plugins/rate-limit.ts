import rateLimitPlugin, { normalizeIP, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ApiKey } from '../domain/api-keys.js'
import type { Clock } from '../domain/clock.js'
import { ApiError } from '../domain/errors.js'
import { PLANS } from '../domain/plans.js'
import { MINUTE, windowEnd, type Decision, type Standing, type UsageRepository } from '../domain/usage.js'
import { AddressStore } from './address-store.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request against its API key, or else its address. Throws the 429 when that is over its limit. */
    charge (request: FastifyRequest, apiKey: ApiKey | undefined): Promise<void>
    /** The X-RateLimit headers of an address, for answers to bytes that never became a request. Counts nothing. */
    limitHeadersOf (address: string | undefined): Record<string, string>
  }
  interface FastifyRequest { standing: Standing | null }
}

/** Calls without a valid key have the numbers of the plan Free, in the minute's window. */
const ADDRESS_LIMIT = PLANS.free.perMinute

/**
 * Limits (contract, section 8): counts, and writes X-RateLimit-* on every answer of the server.
 *
 * The budget of an address is a limiter of @fastify/rate-limit. The two windows of a key are not: they must be decided in one
 * atomic step, which two of its limiters cannot do, so the usage repository decides them. Its own headers and answers are not
 * used either: its reset is seconds left instead of a Unix time, and its hook leaves a 401 and a 404 without headers.
 */
export const rateLimit = fp<{ usage: UsageRepository, clock: Clock }>(async (app, { usage, clock }) => {
  const addresses = new AddressStore(clock)
  await app.register(rateLimitPlugin, { global: false, store: function () { return addresses } as unknown as FastifyRateLimitStoreCtor })
  const limitAddress = app.createRateLimit({ max: ADDRESS_LIMIT, timeWindow: MINUTE })

  const chargeAddress = async (request: FastifyRequest): Promise<Decision> => {
    const verdict = await limitAddress(request)
    if (verdict.isAllowed) throw new Error('No address is exempt from the limit.')
    return { admitted: !verdict.isExceeded, limit: verdict.max, remaining: verdict.remaining, resetAt: clock.now() + verdict.ttl }
  }
  const standingOf = (address: string | undefined): Standing => ({
    limit: ADDRESS_LIMIT,
    remaining: Math.max(0, ADDRESS_LIMIT - addresses.used(normalizeIP(address ?? '', 64))),
    resetAt: windowEnd(clock.now(), MINUTE)
  })

  app.decorateRequest('standing', null)
  app.decorate('charge', async (request, apiKey) => {
    const decision = apiKey ? await usage.charge(apiKey.id, apiKey.quota, clock.now()) : await chargeAddress(request)
    request.standing = decision
    if (decision.admitted) return
    const wait = Math.max(1, Math.ceil((decision.resetAt - clock.now()) / 1000))
    throw new ApiError('rate_limited', undefined, { 'Retry-After': String(wait) })
  })
  app.decorate('limitHeadersOf', (address) => headersOf(standingOf(address)))
  app.addHook('onSend', async (request, reply) => {
    reply.headers(headersOf(request.standing ?? standingOf(request.ip)))
  })
}, { name: 'rate-limit' })

function headersOf ({ limit, remaining, resetAt }: Standing): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000))
  }
}
