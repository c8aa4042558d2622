import { askedDelay, sparing } from './refusals.js'

/** How a client waits and tries again after a 429, a 503 or a broken connection. */
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
  /** The response that asks for it; undefined after a broken connection, which brings none. */
  response: Response | undefined
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
 * Makes a `fetch` that waits and tries again when a limit is spent (429), the service cannot respond now (503), an
 * earlier request with this Idempotency-Key is in flight (409 with Retry-After), or the connection breaks: as long as
 * Retry-After says, and then a random time more, so that not all clients come back at once. While a limit is spent,
 * further requests with that key are not sent, as refusals lead to a ban: each waits too, or is given the refusal where
 * it may not wait so long. The signal of a request ends its wait, and nothing is sent after it.
 */
export function retrying (
  fetch: (request: Request) => Promise<Response>,
  { attempts = 4, maxDelay = 60_000, onWait }: Retry = {}
): (request: Request) => Promise<Response> {
  const send = sparing(fetch)
  return async (request) => {
    for (let attempt = 1; attempt < attempts; attempt++) {
      const response = await arrival(send(request.clone())).catch((error: unknown) => {
        if (!isNetworkError(error) || request.signal.aborted || !mayRepeat(request)) throw error
        return undefined
      })
      const asked = response ? askedDelay(response) : 0
      if (response && (asked > maxDelay || !mayRepeat(request, response))) return response
      await response?.body?.cancel()
      const backoff = Math.random() * FIRST_BACKOFF * 2 ** (attempt - 1)
      const delay = Math.min(asked + backoff, maxDelay)
      const until = new Date(Date.now() + delay)
      const waited = wait(delay, request.signal)
      onWait?.({ response, delay, until, ended: waited.catch(() => {}) })
      await waited
    }
    return await send(request)
  }
}

/** Waits for all of a JSON response, since a connection can break in its body as well. The body can still be read. */
async function arrival (sent: Promise<Response>): Promise<Response> {
  const response = await sent
  if (/[/+]json *(;|$)/i.test(response.headers.get('Content-Type') ?? '')) await response.clone().arrayBuffer()
  return response
}

/** Whether `fetch` rejected because of the network: with a TypeError (Fetch, section 5.6), perhaps of another realm. */
function isNetworkError (error: unknown): boolean {
  return (error as Error | undefined)?.name === 'TypeError'
}

/**
 * Whether a request may be sent again, after a response or after none. With an Idempotency-Key it is done once. Without
 * one, its method must be idempotent (RFC 9110, section 9.2.2), as the request may have been done; only after a 429 it
 * was not.
 */
function mayRepeat ({ method, headers }: Request, response?: Response): boolean {
  const status = response?.status
  const isKeyed = headers.has('Idempotency-Key')
  if (status === 409) return isKeyed && response!.headers.has('Retry-After')
  if (response && status !== 429 && status !== 503) return false
  return isKeyed || (method !== 'POST' && (method !== 'PATCH' || status === 429))
}

function wait (milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const over = new Promise<void>((resolve) => { timer = setTimeout(resolve, milliseconds) })
  return unlessAborted(over, signal).finally(() => clearTimeout(timer))
}

/** Settles as a promise does, or rejects as soon as the signal aborts. */
export function unlessAborted<Value> (promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
