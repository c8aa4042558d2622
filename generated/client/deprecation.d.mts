// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/** What a response says of a deprecated operation. */
export interface Deprecation {
    /** Since when the operation is deprecated (RFC 9745). */
    since: Date;
    /** When it is to be removed (RFC 8594). */
    sunset: Date | undefined;
    /** The address of what to call instead. */
    successor: string | undefined;
    /** The address of a page that tells more. */
    notice: string | undefined;
}
/** Gives what a response says of the deprecation of its operation; undefined when the operation is not deprecated. */
export declare function deprecationOf(response: Response): Deprecation | undefined;
/**
 * Makes a function that warns the developer on the console when a response is that of a deprecated operation: once for
 * each operation, and never in production, as bundlers and Node.js tell it by NODE_ENV.
 */
export declare function deprecationWarner(): (call: string, response: Response) => void;
