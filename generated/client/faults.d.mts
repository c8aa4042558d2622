// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/** What is said of one value of a request that is wrong. */
interface Fault {
    name?: string | undefined;
    pointer?: string | undefined;
    message: string;
}
/**
 * Gives what an error says of each field of a form, by the name of the field: `{ name: 'is required' }`. A field within
 * an object has the names of both, as in `owner/name`; a parameter has its own. It is empty for any other error, and
 * for none, so that a form can ask always.
 */
export declare function faultsOf(error: {
    errors?: Fault[] | undefined;
} | null | undefined): Partial<Record<string, string>>;
export {};
