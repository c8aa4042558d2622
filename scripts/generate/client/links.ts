/**
 * Gives the cursor of the page after the one that a response has, for the query parameter `cursor` of the next call;
 * undefined on the last page. Hooks that load page after page have it as their page parameter.
 */
export function nextCursor (response: Response): string | undefined {
  const next = linkOf(response, 'next')
  return next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined)
}

/** Gives the address that a response links to by a relation (RFC 8288), such as `next`; undefined when it has none. */
export function linkOf (response: Response, relation: string): string | undefined {
  for (const [, reference, parameters] of (response.headers.get('Link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters!)?.[1]?.split(' ')
    // A response that a program has made itself has no address; its references lead nowhere, but have their query.
    if (relations?.includes(relation)) return new URL(reference!, response.url || 'http://unknown.invalid').href
  }
  return undefined
}
