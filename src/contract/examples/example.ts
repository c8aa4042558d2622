import { ContractError } from '../document/contract-error.js'
import type { Document, Exemplified, ResponseObject } from '../document/document.js'
import { MEDIA_TYPE, type Operation } from '../operation/operation.js'
import { pointerTo, resolve } from '../document/reference.js'
import { schemaAt } from '../document/schema.js'
import type { checksOf } from '../validation/validator.js'
import { describe } from '../request/message.js'

/** A value that the document shows, and the name it has there if any. */
interface Shown {
  name: string | undefined
  value: unknown
}

/** A body that an operation may answer with, and its status; undefined for an answer without a body. */
export interface Example extends Shown {
  status: string
}

/**
 * Every example of the operation's answers, in the order of their statuses.
 * @throws {ContractError} when an answer has no example, or one that is not as its schema says
 */
export function examplesOf (
  document: Document,
  { operationId, pointer, responses }: Operation,
  checkOf: ReturnType<typeof checksOf>
): Example[] {
  return [...responses]
    .filter(([status]) => /^[2-5]\d\d$/.test(status))
    .flatMap(([status, { content }]) => {
      const media = content?.[MEDIA_TYPE]
      if (!media) return { status, name: undefined, value: undefined }
      const place = pointerTo(pointer, 'responses', status)
      const shown = shownIn(document, media, place)
      if (shown.length === 0) {
        throw new ContractError(`${place}: the answer ${status} of ${operationId} has no example to answer with.`)
      }
      const check = checkOf(media.schema ?? {})
      for (const { name, value } of shown) {
        // A copy, because the check fills in defaults.
        if (check(structuredClone(value))) continue
        throw new ContractError(
          `${place}: ${name === undefined ? 'an example' : `the example ${name}`} of ${operationId} is not as its schema says. ${describe('body', check.errors!)}`
        )
      }
      return shown.map((one) => ({ status, ...one }))
    })
}

/**
 * The headers of an answer, as the document shows them: those that the response declares, or else those that every
 * response has.
 * @throws {ContractError} when a required header has no example
 */
export function exampleHeadersOf (
  document: Document,
  operations: Operation[]
): (operation?: Operation, status?: number) => Record<string, string> {
  const headersOf = new Map<ResponseObject | undefined, Record<string, string>>()
  for (const { operationId, responses, pointer } of operations) {
    for (const [status, response] of responses) {
      const headers = Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
        const { value, pointer: place } = resolve(document, {
          value: header,
          pointer: pointerTo(pointer, 'responses', status, 'headers', name)
        })
        const [first] = shownIn(document, value, place)
        if (!first && value.required) {
          throw new ContractError(
            `${place}: the header ${name} of ${operationId} is required, but has no example to answer with.`
          )
        }
        return first ? [[name, String(first.value)]] : []
      })
      headersOf.set(response, Object.fromEntries(headers))
    }
  }
  const [first = {}, ...others] = headersOf.values()
  const common = Object.fromEntries(
    Object.entries(first).filter(([name]) => others.every((headers) => name in headers))
  )
  return (operation, status) => headersOf.get(operation?.responses.get(String(status))) ?? common
}

/** The examples of a body or a header: its named ones, or else the one that it or its schema has. */
function shownIn (document: Document, { schema = {}, example, examples = {} }: Exemplified, pointer: string): Shown[] {
  const named = Object.entries(examples).map(([name, one]): Shown => ({
    name,
    value: resolve(document, { value: one, pointer: pointerTo(pointer, 'examples', name) }).value.value
  }))
  const { example: own, examples: [first] = [] } = schemaAt(document, schema) as {
    example?: unknown
    examples?: unknown[]
  }
  const unnamed: Shown = { name: undefined, value: [example, own, first].find((value) => value !== undefined) }
  return (named.length > 0 ? named : [unnamed]).filter(({ value }) => value !== undefined)
}
