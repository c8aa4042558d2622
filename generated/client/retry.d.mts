// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/** How a client waits and tries again after a 429, a 503 or a broken connection. */
export interface Retry {
    /** How often a request is tried at most, the first time included; 4 unless given. */
    attempts?: number | undefined;
    /**
     * The longest wait before one attempt, in milliseconds; a minute unless given, after which a limit per minute is free
     * again. An answer that asks for a longer wait is given to the caller at once.
     */
    maxDelay?: number | undefined;
    /** Is called for each call that begins to wait, so that a page can tell why nothing happens. */
    onWait?: ((wait: Wait) => void) | undefined;
}
/** A wait before a request is sent, or sent again. */
export interface Wait {
    /** The response that asks for it; undefined after a broken connection, which brings none. */
    response: Response | undefined;
    /** Milliseconds. */
    delay: number;
    /** When it ends, if the caller does not give up before. */
    until: Date;
    /** Settles when the wait is over or was given up, and never rejects. */
    ended: Promise<void>;
}
/**
 * Makes a `fetch` that waits and tries again when a limit is spent (429), the service cannot respond now (503), an
 * earlier request with this Idempotency-Key is in flight (409 with Retry-After), or the connection breaks: as long as
 * Retry-After says, and then a random time more, so that not all clients come back at once. While a limit is spent,
 * further requests with that key are not sent, as refusals lead to a ban: each waits too, or is given the refusal where
 * it may not wait so long. The signal of a request ends its wait, and nothing is sent after it.
 */
export declare function retrying(fetch: (request: Request) => Promise<Response>, { attempts, maxDelay, onWait }?: Retry): (request: Request) => Promise<Response>;
/** Settles as a promise does, or rejects as soon as the signal aborts. */
export declare function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value>;
