// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
/** A client of openapi-fetch in whose types a GET with If-None-Match may have no data, as a 304 has none. */
export type ConditionalClient<Paths extends {}> = {
    GET: <Path extends ConditionalPath<Paths>, Init extends InitOf<Paths[Path]>>(url: Path, ...init: ConditionalInit<Init>) => Promise<ConditionalResponse<Paths[Path], Init>>;
    request: <Path extends ConditionalPath<Paths>, Init extends InitOf<Paths[Path]>>(method: 'get', url: Path, ...init: ConditionalInit<Init>) => Promise<ConditionalResponse<Paths[Path], Init>>;
} & Client<Paths>;
/** The paths whose GET declares a 304. */
type ConditionalPath<Paths> = {
    [Path in keyof Paths]: Paths[Path] extends {
        get: {
            responses: {
                304: unknown;
            };
        };
    } ? Path : never;
}[keyof Paths];
/** What a GET takes, or null: TypeScript infers all of it where the arguments do not fit. */
type InitOf<PathItem> = MaybeOptionalInit<PathItem, 'get' & keyof PathItem> | null;
/**
 * The arguments of a call that may send If-None-Match. Any other call gets a wrong number of them, so that the compiler
 * takes it for one of openapi-fetch and reports its errors as such.
 */
type ConditionalInit<Init> = null extends Init ? [never, never] : 'If-None-Match' extends HeaderName<Init> ? [init?: (Init & {
    [key: string]: unknown;
}) | undefined] : [never, never];
type HeaderName<Init> = Init extends {
    params?: {
        header?: infer Header;
    } | undefined;
} ? KeyOf<Header> : never;
type KeyOf<Values> = Values extends object ? keyof Values : never;
type ConditionalResponse<PathItem, Init> = (PathItem extends {
    get: infer Operation extends {};
} ? FetchResponse<Operation, Init, `${string}/${string}`> : never) | {
    data?: never;
    error?: never;
    response: Response;
};
/**
 * Makes the results of a client agree with their types, whatever server responds: a call that fails has an error with
 * `code`, `message` and `status`, and one that succeeds has data. It has neither after a 304 to its If-None-Match, and
 * where the document declares a success without a body.
 */
export declare function withTypedResults<Paths extends {}>(client: Client<Paths>, emptyCalls: ReadonlySet<string>): ConditionalClient<Paths>;
export {};
