/** What is said of one value of a request that is wrong. */
interface Fault {
  name?: string | undefined
  pointer?: string | undefined
  message: string
}

/**
 * Gives what an error says of each field of a form, by the name of the field: `{ name: 'is required' }`. A field within
 * an object has the names of both, as in `owner/name`; a parameter has its own. It is empty for any other error, and
 * for none, so that a form can ask always.
 */
export function faultsOf (error: { errors?: Fault[] | undefined } | null | undefined): Partial<Record<string, string>> {
  const faults = error?.errors ?? []
  return Object.fromEntries(faults.map(({ name, pointer, message }) => [name ?? fieldOf(pointer), message]))
}

/** The names that a JSON Pointer goes along (RFC 6901, section 4). */
function fieldOf (pointer = ''): string {
  return pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
}
