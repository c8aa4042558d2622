import { askedDelay, sparing } from './refusals.js'

/** How a client waits and tries again after a 429 or a 503. */
export interface Retry {
  /** How often a request is tried at most, the first time included; 4 unless given. */
  attempts?: number | undefined
  /**
   * The longest wait before one attempt, in milliseconds; a minute unless given, after which a limit per minute is free
   * again. An answer that asks for a longer wait is given to the caller at once.
   */
  maxDelay?: number | undefined
  /** Is called for each call that begins to wait, so that a page can tell why nothing happens. */
  onWait?: ((wait: Wait) => void) | undefined
}

/** A wait before a request is sent, or sent again. */
export interface Wait {
  /** The answer that asks for it. */
  response: Response
  /** Milliseconds. */
  delay: number
  /** When it ends, if the caller does not give up before. */
  until: Date
  /** Settles when the wait is over or was given up, and never rejects. */
  ended: Promise<void>
}

/** The longest random part of the first wait, in milliseconds; that of each further wait is twice as long. */
const FIRST_BACKOFF = 1_000

/**
 * Makes a `fetch` that waits and tries again when a limit is spent (429) or the service cannot answer now (503): as
 * long as Retry-After says, and then a random time more, so that not all clients come back at once. While a limit is
 * spent, further requests with that key are not sent, as refusals lead to a ban: each waits too, or is given the
 * refusal where it may not wait so long. The signal of a request ends its wait.
 */
export function retrying (
  fetch: (request: Request) => Promise<Response>,
  { attempts = 4, maxDelay = 60_000, onWait }: Retry = {}
): (request: Request) => Promise<Response> {
  const send = sparing(fetch)
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts
      const response = await send(isLast ? request : request.clone())
      const asked = askedDelay(response)
      if (isLast || asked > maxDelay || !mayRepeat(request, response)) return response
      await response.body?.cancel()
      const backoff = Math.random() * FIRST_BACKOFF * 2 ** (attempt - 1)
      const delay = Math.min(asked + backoff, maxDelay)
      const until = new Date(Date.now() + delay)
      const waited = wait(delay, request.signal)
      onWait?.({ response, delay, until, ended: waited.catch(() => {}) })
      await waited
    }
  }
}

/**
 * Whether a request may be sent again after an answer. A POST may with an Idempotency-Key, as it is then done once.
 * After a 429 nothing was done; after a 503 it may have been, so that the method must allow a repetition (RFC 9110,
 * section 9.2.2).
 */
function mayRepeat ({ method, headers }: Request, { status }: Response): boolean {
  if (status !== 429 && status !== 503) return false
  if (method === 'POST') return headers.has('Idempotency-Key')
  return status === 429 || method !== 'PATCH' || headers.has('Idempotency-Key')
}

function wait (milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
