import rateLimitPlugin, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ApiKey } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'
import { ApiError } from '../../domain/errors.js'
import { PLANS } from '../../domain/plans.js'
import type { Decision, Standing, UsageRepository } from '../../domain/usage.js'
import { DAY, MINUTE } from '../../domain/windows.js'
import { AddressCounts, storeOf } from './address-store.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a request against its API key, or else its address. Throws the 429 when that is over its limit or banned.
     */
    charge(request: FastifyRequest, apiKey: ApiKey | undefined): Promise<void>
    /** The limit headers of an address, for answers to bytes that never became a request. Counts nothing. */
    limitHeadersOf(address: string | undefined): Record<string, string>
  }
  interface FastifyRequest {
    decision: Decision | null
  }
}

/** Calls without a valid key have the numbers of the plan Free, in the minute's window. */
const ADDRESS_LIMIT = PLANS.free.perMinute
/** They are counted for an IPv4 address or an IPv6 network of 64 bits; a connection that broke has no address left. */
const networkOf = (ip: string | undefined): string => normalizeIP(ip ?? '', 64)

/**
 * Limits (contract, section 8): counts, and writes X-RateLimit-*, RateLimit-Policy and RateLimit on every answer of the
 * server.
 *
 * @fastify/rate-limit counts the calls of an address and says when there are too many. The two windows of a key are
 * decided in one atomic step, which two of its limiters cannot do: the usage repository does. Its headers, bans and
 * answers are not used: its reset is seconds left instead of a Unix time, its ban is a 403 that ends with the window,
 * and its hook leaves a 401 and a 404 without headers.
 */
export const rateLimit = fp<{ usage: UsageRepository; clock: Clock }>(
  async (app, { usage, clock }) => {
    const counts = new AddressCounts(clock)
    await app.register(rateLimitPlugin, { global: false, store: storeOf(counts, clock) })
    const limitAddress = app.createRateLimit({
      max: ADDRESS_LIMIT,
      timeWindow: MINUTE,
      keyGenerator: ({ ip }) => networkOf(ip)
    })

    const wallTime = () => clock.wall?.() ?? clock.now()
    const decisionOf = (verdict: Decision['verdict'], remaining: number): Decision => {
      const minute: Standing = { limit: ADDRESS_LIMIT, remaining, resetAt: counts.resetAt }
      return { verdict, at: clock.now(), windows: { minute }, ...minute }
    }
    const chargeAddress = async (request: FastifyRequest): Promise<Decision> => {
      const result = await limitAddress(request)
      if (result.isAllowed) throw new Error('No address is exempt from the limit.')
      return decisionOf(result.isExceeded ? 'limited' : 'admitted', result.remaining)
    }
    /** What an address may still use; counts nothing. */
    const standingOf = (ip: string | undefined): Decision =>
      withSkew(decisionOf('admitted', Math.max(0, ADDRESS_LIMIT - counts.of(networkOf(ip)))), wallTime())

    app.decorateRequest('decision', null)
    app.decorate('charge', async (request, apiKey) => {
      const wall = wallTime()
      const decision = await (apiKey ? usage.charge(apiKey, clock.now()) : chargeAddress(request))
      enforce(request, apiKey, withSkew(decision, wall))
    })
    const enforce = (request: FastifyRequest, apiKey: ApiKey | undefined, decision: Decision): void => {
      request.decision = decision
      if (decision.ban) {
        request.log.warn(
          { keyId: apiKey?.id, banLevel: decision.ban.level, until: new Date(decision.ban.until) },
          'API key banned'
        )
      }
      if (decision.verdict === 'admitted') return
      const wait = Math.max(1, Math.ceil((decision.resetAt - decision.at) / 1000))
      throw new ApiError(decision.verdict === 'banned' ? 'key_banned' : 'rate_limited', undefined, {
        'Retry-After': String(wait)
      })
    }
    app.decorate('limitHeadersOf', (address) => headersOf(standingOf(address)))
    app.addHook('onSend', (request, reply, _payload, done) => {
      reply.headers(headersOf(request.decision ?? standingOf(request.ip)))
      done()
    })
  },
  { name: 'rate-limit' }
)

/**
 * Notes in a decision that its clock is not that of callers: the counters' clock runs on where that of the machine was
 * set back, and Redis has its own.
 */
function withSkew (decision: Decision, wall: number): Decision {
  const ahead = decision.at - wall
  return Math.abs(ahead) < 1_000 ? decision : { ...decision, ahead }
}

/** Returns the three headers of the contract, and both windows at once (draft-ietf-httpapi-ratelimit-headers). */
export function headersOf ({ limit, remaining, resetAt, windows, at, ahead = 0 }: Decision): Record<string, string> {
  const { minute, day } = windows
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((resetAt - ahead) / 1000)),
    'ratelimit-policy': policyOf('minute', minute, MINUTE) + (day ? `, ${policyOf('day', day, DAY)}` : ''),
    ratelimit: stateOf('minute', minute, at) + (day ? `, ${stateOf('day', day, at)}` : '')
  }
}

function policyOf (name: string, { limit }: Standing, length: number): string {
  return `"${name}";q=${limit};w=${length / 1000}`
}

function stateOf (name: string, { remaining, resetAt }: Standing, at: number): string {
  return `"${name}";r=${remaining};t=${Math.max(0, Math.ceil((resetAt - at) / 1000))}`
}
