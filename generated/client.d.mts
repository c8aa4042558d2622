// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

import { type Client, type FetchOptions } from 'openapi-fetch';
import { type Options } from './client/middleware.mjs';
import { type ConditionalClient } from './client/results.mjs';
import type { operations, paths } from './petstore.js';
export { deprecationOf, type Deprecation } from './client/deprecation.mjs';
export { faultsOf } from './client/faults.mjs';
export { ResponseError } from './client/items.mjs';
export { limitsOf, type Limits, type LimitWindow } from './client/limits.mjs';
export { nextCursor } from './client/links.mjs';
export type { Options } from './client/middleware.mjs';
export type { ConditionalClient } from './client/results.mjs';
export type { Retry, Wait } from './client/retry.mjs';
/** The operation and the items of each list, by its path. */
export interface Lists {
    "/pets": {
        operation: operations["listPets"];
        item: operations["listPets"]['responses'][200]['content']["application/json"][number];
    };
    "/categories": {
        operation: operations["listCategories"];
        item: operations["listCategories"]['responses'][200]['content']["application/json"][number];
    };
    "/store/orders": {
        operation: operations["listOrders"];
        item: operations["listOrders"]['responses'][200]['content']["application/json"][number];
    };
    "/inventory": {
        operation: operations["listInventory"];
        item: operations["listInventory"]['responses'][200]['content']["application/json"][number];
    };
}
/**
 * Makes a client of the Petstore API: that of openapi-fetch, which also sends the API key, waits and tries again as the
 * limits say, and sends each call that makes something with an Idempotency-Key, so that it is done once.
 * @throws {TypeError} when no header can carry the key
 */
export declare function createPetstore(options: Options): ConditionalClient<paths>;
/**
 * Gives the items of a list one after the other, over all its pages: `for await (const item of pages(…))`. A page is
 * read when its first item is asked for. It throws a {@link ResponseError} when a page is answered with an error.
 */
export declare function pages<Path extends keyof Lists>(client: Client<paths>, path: Path, options?: FetchOptions<Lists[Path]['operation']>): AsyncGenerator<Lists[Path]['item'], void, undefined>;
