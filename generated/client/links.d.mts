// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.

/**
 * Gives the cursor of the page after the one that a response has, for the query parameter `cursor` of the next call;
 * undefined on the last page. Hooks that load page after page have it as their page parameter.
 */
export declare function nextCursor(response: Response): string | undefined;
/** Gives the address that a response links to by a relation (RFC 8288), such as `next`; undefined when it has none. */
export declare function linkOf(response: Response, relation: string): string | undefined;
