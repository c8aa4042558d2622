// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/**
 * Makes a `fetch` that does not send what would be refused: while the limit of a key is spent (429), it gives the
 * refusal again, as further ones lead to a ban. It keeps one answer for each key.
 */
export declare function sparing(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>;
/** The milliseconds that Retry-After asks for, which has seconds or a date (RFC 9110, section 10.2.3). */
export declare function askedDelay({ headers }: Response): number;
