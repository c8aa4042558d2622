import type { Document } from '../../src/contract/document/openapi.js'
import { serverUrlsOf } from '../../src/contract/document/servers.js'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { operationChanges } from './operation.js'
import { methodAndPath, type Version } from './version.js'

/**
 * Lists what breaks those who rely on one document when another takes its place, a sentence each, which names the
 * operation and the place. An operation that was experimental promised nothing; one that was deprecated may go without
 * a word once `today` is past its sunset.
 * @throws {ContractError} when one of the documents cannot be served
 */
export function breakingChanges (was: Document, now: Document, today: Date): string[] {
  const promised = operationsOf(was).filter(({ stability }) => stability !== 'experimental')
  const present = operationsOf(now)
  const operationsChanges = promised.flatMap((operation) => {
    const successor = successorOf(operation, present)
    const before = { document: was, operation }
    const after = successor && { document: now, operation: successor }
    const changes = after ? operationChanges(before, after, today) : removalOf(before, today)
    return changes.map((change) => `${operation.operationId}: ${change}`)
  })
  return [...removedServers(was, now), ...operationsChanges, ...removedSchemas(was, now)]
}

/** The operation of the new document that has the same operationId, or else the same method and path. */
function successorOf (operation: Operation, present: Operation[]): Operation | undefined {
  return (
    present.find(({ operationId }) => operationId === operation.operationId) ??
    present.find((other) => methodAndPath(other) === methodAndPath(operation))
  )
}

function removalOf ({ operation }: Version, today: Date): string[] {
  const { deprecation } = operation
  return deprecation && deprecation.sunset <= today ? [] : [`${methodAndPath(operation)} is removed.`]
}

function removedServers (was: Document, now: Document): string[] {
  const present = serverUrlsOf(now).map(atRoot)
  return serverUrlsOf(was)
    .map(atRoot)
    .filter((url) => !present.includes(url))
    .map((url) => `The server ${url} is removed.`)
}

/** Writes a relative URL as it is where the document lies at the root of its server: `./v1` is `/v1`. */
function atRoot (url: string): string {
  const root = 'http://root.invalid'
  return URL.canParse(url, root) ? new URL(url, root).href.replace(root, '') : url
}

function removedSchemas (was: Document, now: Document): string[] {
  const present = now.components?.schemas ?? {}
  return Object.keys(was.components?.schemas ?? {})
    .filter((name) => !Object.hasOwn(present, name))
    .map((name) => `The schema ${name} is removed; generated types have its name.`)
}
