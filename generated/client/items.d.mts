// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/** An answer as openapi-fetch gives it. */
interface Answer<Item> {
    data?: Item[] | undefined;
    error?: unknown;
    response: Response;
}
/** Says that a call was answered with an error where there is nobody to give it to but by throwing it. */
export declare class ResponseError<Body = unknown> extends Error {
    /** The body of the answer, as it came. */
    readonly body: Body;
    readonly response: Response;
    readonly name = "ResponseError";
    constructor(
    /** The body of the answer, as it came. */
    body: Body, response: Response);
}
/**
 * Gives the items of all pages of a list one after the other. A page is read when the first of its items is asked for.
 * It throws a {@link ResponseError} when a page is answered with an error.
 */
export declare function itemsOf<Item>(read: (cursor: string | undefined) => Promise<Answer<Item>>): AsyncGenerator<Item, void, undefined>;
export {};
