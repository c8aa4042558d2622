/** The answer to a call whose limit is spent, kept for the calls after it. Times are milliseconds since 1970. */
interface Refusal {
  response: Response
  body: string
  came: number
  until: number
  /** When the next call is sent all the same. */
  probe: number
}

/**
 * How often a call is sent all the same, in milliseconds: a plan may have changed, a ban may have been lifted. So few
 * refusals lead to no ban.
 */
const PROBE_INTERVAL = 60_000

/** The headers of a refusal that are true of other calls too; others tell of the operation. */
const OF_EVERY_CALL = /^(content-type|x-request-id)$|ratelimit/

/**
 * Makes a `fetch` that does not send what would be refused: while the limit of a key is spent (429), it gives the
 * refusal again, as further ones lead to a ban. It keeps one answer for each key.
 */
export function sparing (fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  const refusals = new Map<string, Refusal>()
  return async (request) => {
    // Answers to HEAD have no body, which others need.
    const caller = `${request.method === 'HEAD'} ${request.headers.get('Authorization')}`
    const known = refusals.get(caller)
    if (known) {
      const now = Date.now()
      if (now < Math.min(known.until, known.probe)) return again(known, now, request.signal)
      known.probe = now + PROBE_INTERVAL
    }
    const response = await fetch(request)
    const delay = askedDelay(response)
    if (response.status === 429 && delay > 0 && !isChosen(response)) {
      const body = await response.clone().text()
      const came = Date.now()
      refusals.forEach(({ until }, other) => until <= came && refusals.delete(other))
      refusals.set(caller, { response, body, came, until: came + delay, probe: came + PROBE_INTERVAL })
    } else if (known && refusals.get(caller) === known) {
      refusals.delete(caller)
    }
    return response
  }
}

/** Whether a request chose its response by Prefer, as the mock lets it: that says nothing of a limit (RFC 7240). */
function isChosen ({ headers }: Response): boolean {
  return /(code|example)=/.test(headers.get('Preference-Applied') ?? '')
}

/** Gives a refusal as it would be now. */
function again ({ response, body, came, until }: Refusal, now: number, signal: AbortSignal): Response {
  signal.throwIfAborted()
  const headers = new Headers([...response.headers].filter(([name]) => OF_EVERY_CALL.test(name)))
  headers.set('Retry-After', String(Math.ceil((until - now) / 1_000)))
  const passed = Math.floor((now - came) / 1_000)
  const windows = headers.get('RateLimit')?.replace(/;t=(\d+)/g, (_, left) => `;t=${Math.max(left - passed, 0)}`)
  if (windows !== undefined) headers.set('RateLimit', windows)
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}

/** The milliseconds that Retry-After asks for, which has seconds or a date (RFC 9110, section 10.2.3). */
export function askedDelay ({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0'
  const delay = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Math.max(delay || 0, 0)
}
