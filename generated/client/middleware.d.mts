// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

import type { ClientOptions, Middleware } from 'openapi-fetch';
import { type Retry } from './retry.mjs';
type Key = string | null | undefined;
/** What a client is made of. */
export interface Options {
    /** Where the service is, with the path of its version. */
    baseUrl: string;
    /** The API key, or a function that returns it, or a promise of it, for each call; a mock may need none. */
    key?: string | (() => Key | Promise<Key>) | undefined;
    /** In the place of the global `fetch`. */
    fetch?: ((request: Request) => Promise<Response>) | undefined;
    /** How the client waits and tries again; false when it shall not. */
    retry?: Retry | false | undefined;
}
/** Gives the options of openapi-fetch for a client, whose `fetch` tries again unless it shall not. */
export declare function optionsOf({ baseUrl, fetch, retry }: Options): ClientOptions;
/**
 * Makes what is between a client and its `fetch`: it adds the API key, and an Idempotency-Key to the calls that have
 * one; asks for the list of what is wrong with a request; and warns of deprecated operations.
 * @throws {TypeError} when no header can carry the key; with a function that returns the key, the call is rejected
 */
export declare function middlewareOf({ key }: Options, keyedCalls: ReadonlySet<string>): Middleware;
export {};
