import type { ClientOptions, Middleware } from 'openapi-fetch'
import { deprecationWarner } from './deprecation.js'
import { retrying, unlessAborted, type Retry } from './retry.js'

type Key = string | null | undefined

/** What a client is made of. */
export interface Options {
  /** Where the service is, with the path of its version. */
  baseUrl: string
  /** The API key, or a function that returns it, or a promise of it, for each call; a mock may need none. */
  key?: string | (() => Key | Promise<Key>) | undefined
  /** In the place of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /** How the client waits and tries again; false when it shall not. */
  retry?: Retry | false | undefined
}

/** Gives the options of openapi-fetch for a client, whose `fetch` tries again unless it shall not. */
export function optionsOf ({ baseUrl, fetch = (request) => globalThis.fetch(request), retry }: Options): ClientOptions {
  return { baseUrl, fetch: retry === false ? fetch : retrying(fetch, retry) }
}

/**
 * Sets Authorization to a key. What it throws does not repeat the key, as what a Headers throws does.
 * @throws {TypeError} when no header can carry the key
 */
function authorize (headers: Headers, key: string): void {
  try {
    headers.set('Authorization', `Bearer ${key}`)
  } catch {
    throw new TypeError('The API key has a character that no header can carry, such as a line break or one beyond Latin-1.')
  }
}

/**
 * Makes what is between a client and its `fetch`: it adds the API key, and an Idempotency-Key to the calls that have
 * one; asks for the list of what is wrong with a request; and warns of deprecated operations.
 * @throws {TypeError} when no header can carry the key; with a function that returns the key, the call is rejected
 */
export function middlewareOf ({ key }: Options, keyedCalls: ReadonlySet<string>): Middleware {
  const warn = deprecationWarner()
  if (typeof key === 'string') authorize(new Headers(), key)
  return {
    async onRequest ({ request, schemaPath }) {
      const { headers, method, signal } = request
      if (!headers.has('Authorization')) {
        const secret = typeof key === 'function' ? await unlessAborted(Promise.resolve(key()), signal) : key
        if (secret != null) authorize(headers, secret)
      }
      if (keyedCalls.has(`${method} ${schemaPath}`) && !headers.has('Idempotency-Key')) {
        headers.set('Idempotency-Key', randomName())
      }
      headers.append('Prefer', 'errors')
    },
    onResponse ({ request, response, schemaPath }) {
      warn(`${request.method} ${schemaPath}`, response)
    }
  }
}

/** A name that nobody else has: 128 random bits. A browser has `crypto.randomUUID` only over https. */
function randomName (): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
