// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/** What a response says of the limits of its caller. */
export interface Limits {
    /** The limit of the window that has the least left. */
    limit: number;
    /** How many requests remain in that window. */
    remaining: number;
    /** When that window ends. */
    reset: Date;
    /** Every window of the caller. */
    windows: LimitWindow[];
}
/** A time in which a caller may send so many requests. */
export interface LimitWindow {
    /** Such as `minute`. */
    name: string;
    limit: number;
    remaining: number;
    /** How long the window is. */
    seconds: number;
    reset: Date;
}
/**
 * Gives what a response says of the limits of its caller; undefined when it says nothing, because it does not come from
 * the service.
 */
export declare function limitsOf({ headers }: Response): Limits | undefined;
