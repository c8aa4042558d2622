import type { Document } from '../document/openapi.js'
import { Schemas } from '../document/schemas.js'
import type { Operation } from '../operation/operation.js'
import { refusalOf } from '../request/request-error.js'
import { Answer } from '../response/answer.js'
import { checksOf } from '../validation/validator.js'
import { examplesOf, type Example } from './example.js'
import { listPagesOf } from './list.js'
import { appliedText, preferencesOf } from './prefer.js'

type ExampleHandler = (request: { headers: unknown; query?: unknown }) => Answer<unknown, number | undefined>

/**
 * Makes a handler for each operation that answers with the first example of its 2xx, or with one that the request
 * prefers: `Prefer: code=404` is the first of that status, `Prefer: example=least` the first of that name, both
 * together the one. Of a list it answers with the part that the query asks for.
 * @throws {ContractError} when an answer has no example, or one that is not as its schema says
 */
export function exampleHandlersOf (document: Document, operations: Operation[]): Record<string, ExampleHandler> {
  const schemas = new Schemas(document)
  const checkOf = checksOf(schemas)
  return Object.fromEntries(
    operations.map((operation) => {
      const examples = examplesOf(schemas, operation, checkOf)
      const pageOf = listPagesOf(schemas, operation)
      const handler: ExampleHandler = ({ headers, query = {} }) => {
        const chosen = choose(operation, examples, (headers as { prefer?: string }).prefer)
        if (!Array.isArray(chosen.body) || (chosen.status ?? 200) >= 300) return chosen
        const page = pageOf(chosen.body, query as Record<string, unknown>)
        return new Answer(page.items, { ...chosen.headers, ...page.headers }, chosen.status)
      }
      return [operation.operationId, handler]
    })
  )
}

function choose (
  { operationId, success }: Operation,
  examples: Example[],
  prefer = ''
): Answer<unknown, number | undefined> {
  const preferences = [...preferencesOf(prefer)].filter(([name]) => name === 'code' || name === 'example')
  const { code, example } = Object.fromEntries(preferences)
  if (preferences.length === 0) {
    return new Answer(examples.find(({ status }) => status === String(success))!.value, {}, undefined)
  }
  const chosen = examples.find(({ status, name }) => status === (code ?? status) && name === (example ?? name))
  if (!chosen) {
    throw refusalOf(
      'header',
      ['Prefer'],
      `must name a code or an example of ${operationId}: ${choicesOf(examples)}`
    )
  }
  return new Answer(chosen.value, { 'Preference-Applied': appliedText(preferences) }, Number(chosen.status))
}

/** `200 (page), 400 (tooMany, unknown)`: every status with the names of its examples. */
function choicesOf (examples: Example[]): string {
  const statuses = [...new Set(examples.map(({ status }) => status))]
  return statuses
    .map((status) => {
      const names = examples.flatMap((example) => (example.status === status ? (example.name ?? []) : []))
      return names.length > 0 ? `${status} (${names.join(', ')})` : status
    })
    .join(', ')
}
