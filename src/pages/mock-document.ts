import type { Document, Operation } from '../contract/index.js'
import { CURL_OPTIONS, KEY_SENTENCES, type AcceptedKeys } from './accepted-keys.js'

/** The section of a description that tells how to make a first call, up to the next of its level. */
const FIRST_CALL = /^## First call\n[^]*?(?=^## |(?![^]))/m

export interface Mocked {
  document: Document
  operations: Operation[]
  keys: Exclude<AcceptedKeys, 'issued'>
}

/**
 * Gives the document that a mock serves: that of the service, except that its first call is one to the mock, and that
 * no security is in it where the mock takes calls without a key.
 */
export function mockDocumentOf ({ document, operations, keys }: Mocked): Document {
  const { description = '' } = document.info
  const section = firstCall(operations, keys)
  const shown = FIRST_CALL.test(description) ? description.replace(FIRST_CALL, () => section) : section + description
  const ofMock = { ...document, info: { ...document.info, description: shown } }
  return keys === 'none' ? withoutSecurity(ofMock) : ofMock
}

/** Gives the first operation that a GET without anything to fill in calls. */
export function firstOperation (operations: Operation[]): Operation | undefined {
  return operations.find(({ method, path }) => method === 'get' && !path.includes('{'))
}

/** The docs page puts the address of the server in the place of its variable. */
function firstCall (operations: Operation[], keys: Mocked['keys']): string {
  const address = `$BASE_URL${firstOperation(operations)?.path ?? ''}`
  return `## First call\n\n${KEY_SENTENCES[keys]}\n\n\`\`\`sh\ncurl ${CURL_OPTIONS[keys]}${address}\n\`\`\`\n\n`
}

function withoutSecurity ({ security, components: { securitySchemes, ...components } = {}, ...rest }: Document) {
  const paths = Object.entries(rest.paths ?? {}).map(([path, item]) => [path, mapObjects(item, withoutOwnSecurity)])
  return { ...rest, components, paths: Object.fromEntries(paths) as NonNullable<Document['paths']> }
}

function withoutOwnSecurity ({ security, ...operation }: { security?: unknown }): object {
  return operation
}

/** Changes the members of a path item that are objects, which are its operations. */
function mapObjects (item: object, change: (member: object) => object): object {
  const members = Object.entries(item).map(([name, member]) =>
    typeof member === 'object' && !Array.isArray(member) ? [name, change(member)] : [name, member]
  )
  return Object.fromEntries(members)
}
