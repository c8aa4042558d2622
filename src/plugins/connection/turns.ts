import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Serves a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Takes the one listener for requests off a server and gives it, for whoever says when each request has its turn: the
 * server needs another listener then. It throws when there is none, or more than one.
 */
export function takeOverRequests (server: Server): Listener {
  const [serve, ...others] = server.listeners('request') as Listener[]
  if (!serve || others.length > 0) throw new Error('The server must have exactly one listener for its requests.')
  server.removeListener('request', serve)
  return serve
}

/**
 * How long the work that waits may take of one turn of the event loop, in milliseconds: a turn accepts one connection,
 * so new ones would wait behind long turns.
 */
const SLICE = 0.25

const waiting: (() => void)[] = []

/** Does work in a later turn of the event loop. However much of it waits, what arrives meanwhile is not held up. */
export function takeTurn (work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(takeTurns)
}

function takeTurns (): void {
  const end = performance.now() + SLICE
  let done = 0
  try {
    do waiting[done++]!()
    while (done < waiting.length && performance.now() < end)
  } finally {
    // Work that throws ends the process in the end; until then nobody waits for ever behind it.
    waiting.splice(0, done)
    if (waiting.length > 0) setImmediate(takeTurns)
  }
}
