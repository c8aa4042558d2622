import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import fp from 'fastify-plugin'
import { isHost } from './host.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of the caller of a request that Fastify has not taken over; `request.ip` is the same later. */
    callerAddressOf(request: IncomingMessage): string | undefined
  }
}

/**
 * Makes X-Forwarded-For a list of addresses, before anything asks for that of a request. Balancers write some with a
 * port or in brackets. What is no address is not believed, nor what stands before it, as it came over that hop: each
 * such text would be a caller of its own, with limits of its own, and would stand in the log. X-Forwarded-Proto and
 * X-Forwarded-Host become the value of the nearest proxy; an invalid one is removed. Nothing is done where no proxy is
 * trusted, as nobody reads the headers then.
 */
export const forwarded = fp<{ trustProxy: string[] }>(
  async (app, { trustProxy }) => {
    if (trustProxy.length === 0) {
      app.decorate('callerAddressOf', ({ socket }) => socket.remoteAddress)
      return
    }
    const isTrusted = proxyAddr.compile(trustProxy)
    app.decorate('callerAddressOf', (request) => {
      keepAddresses(request)
      return proxyAddr(request, isTrusted)
    })
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      keepAddresses(raw)
      keepNearest(raw, 'x-forwarded-proto', (scheme) => /^https?$/i.test(scheme))
      keepNearest(raw, 'x-forwarded-host', isHost)
      done()
    })
  },
  { name: 'forwarded' }
)

function keepAddresses ({ headers }: IncomingMessage): void {
  const sent = headers['x-forwarded-for']
  if (sent !== undefined) headers['x-forwarded-for'] = addressesIn(String(sent)).join(', ')
}

function keepNearest ({ headers }: IncomingMessage, name: string, isValid: (value: string) => boolean): void {
  const sent = headers[name]
  if (sent === undefined) return
  const nearest = String(sent).split(',').at(-1)!.trim()
  if (isValid(nearest)) headers[name] = nearest
  else delete headers[name]
}

/** The addresses behind the last hop that is none, the nearest proxy last. */
function addressesIn (header: string): string[] {
  const hops = header.split(',').map((hop) => hop.trim())
  const addresses = hops.filter((hop) => hop !== '').map(addressOfHop)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1) as string[]
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, also in double quotes (RFC 7239, section 6). */
const HOP = /^("?)(?:\[(?<inBrackets>[^\]]+)\](?::\d+)?|(?<beforePort>[\d.]+):\d+|(?<bare>[^"]+))\1$/

/** An IPv4 address as IPv6 writes it. */
const MAPPED = /^::ffff:([\d.]+)$/i

/**
 * The address of a hop, in the one spelling that logs are searched for (RFC 5952), without its port and the zone of an
 * IPv6 address; undefined where it is none.
 */
function addressOfHop (hop: string): string | undefined {
  const { inBrackets, beforePort, bare } = HOP.exec(hop)?.groups ?? {}
  const address = inBrackets ?? beforePort ?? bare ?? ''
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined
  const withoutZone = address.replace(/%.*$/, '')
  return MAPPED.exec(withoutZone)?.[1] ?? new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
}
