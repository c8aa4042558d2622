import { createHash } from 'node:crypto'
import { withoutSecrets } from './api-keys.js'
import { DAY } from './windows.js'

/** How long an answer is kept for repetitions of its request, in milliseconds. */
export const KEPT_FOR = DAY

/** What is sent again, byte for byte. */
export interface KeptAnswer {
  status: number
  headers: Record<string, string>
  body: string | undefined
}

/** A request that its caller named by an Idempotency-Key. */
export interface NamedRequest {
  caller: string
  key: string
  fingerprint: string
}

/** An answer with the fingerprint of the request that it was made for; `replayed` when that was an earlier one. */
export interface Kept {
  answer: KeptAnswer
  fingerprint: string
  replayed: boolean
}

/**
 * The port to the answers that are kept for repetitions. Each method rejects with StorageUnavailable when the storage
 * fails.
 */
export interface IdempotencyRepository {
  /**
   * What is kept under the key of this caller; undefined when nothing is, or when it is older than {@link KEPT_FOR}.
   */
  find(request: NamedRequest, now: number): Promise<Kept | undefined>
  /**
   * Does the work and keeps its answer, in one transaction with all that the work writes: both are durable when this
   * resolves, or neither when it rejects, as when the work does (not known which, when the storage was lost at the very
   * end). Where an answer is kept meanwhile, gives that back instead.
   */
  once(request: NamedRequest, now: number, work: () => Promise<KeptAnswer>): Promise<Kept>
}

/**
 * Gives the key that an Idempotency-Key header names: a structured field string or the same characters bare
 * (draft-ietf-httpapi-idempotency-key-header). It is kept as it is sent, but as its hash where somebody has sent the
 * secret of an API key.
 */
export function keyOf (header: string): string {
  const key = header.startsWith('"') ? header.slice(1, -1) : header
  return withoutSecrets(key) === key ? key : `sha256 ${createHash('sha256').update(key).digest('base64url')}`
}

/**
 * Gives a text that is the same for the same request and for no other: a hash of its method, address and body, whatever
 * the order of the body's members.
 */
export function fingerprintOf ({ method, url, body }: { method: string; url: string; body: unknown }): string {
  return createHash('sha256').update(JSON.stringify({ method, url, body }, canonical)).digest('base64url')
}

/** Puts members in one order, and a mark before each text, so that none is taken for the digits of a bigint. */
function canonical (_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return `"${value}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]]))
}
