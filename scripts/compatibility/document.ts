import { serverUrlsOf } from '../../src/contract/document/servers.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { nameOf, changesOfOperation } from './operation.js'

/**
 * What breaks those who rely on one document when another takes its place: a sentence each, which names the operation
 * and the place. An operation that was experimental promised nothing; one that was deprecated may go without a word
 * once `today` is past its sunset.
 * @throws {ContractError} when one of the documents cannot be served
 */
export function breakingChanges (was: Document, now: Document, today: Date): string[] {
  const operations = operationsOf(now)
  return [
    ...serverUrlsOf(was)
      .filter((url) => !serverUrlsOf(now).includes(url))
      .map((url) => `The server ${url} is removed.`),
    ...operationsOf(was)
      .filter(({ stability }) => stability !== 'experimental')
      .flatMap((before) => {
        const after =
          operations.find(({ operationId }) => operationId === before.operationId) ??
          operations.find((operation) => nameOf(operation) === nameOf(before))
        const gone = before.deprecation && before.deprecation.sunset <= today ? [] : [`${nameOf(before)} is removed.`]
        const sentences = after
          ? changesOfOperation({ document: was, operation: before }, { document: now, operation: after }, today)
          : gone
        return sentences.map((sentence) => `${before.operationId}: ${sentence}`)
      }),
    ...Object.keys(was.components?.schemas ?? {})
      .filter((name) => !Object.hasOwn(now.components?.schemas ?? {}, name))
      .map((name) => `The schema ${name} is removed; generated types have its name.`)
  ]
}
