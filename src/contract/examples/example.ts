import { ContractError } from '../document/contract-error.js'
import type { Document, Exemplified, ResponseObject } from '../document/openapi.js'
import { pointerTo, type Located } from '../document/pointer.js'
import { Schemas } from '../document/schemas.js'
import { MEDIA_TYPE, type Operation } from '../operation/operation.js'
import { describeFaults } from '../request/message.js'
import type { checksOf } from '../validation/validator.js'

/** A value that the document has as an example, and the name that it gives it, if any. */
interface ExampleValue {
  name: string | undefined
  value: unknown
}

/** A body that an operation may answer with, and its status; undefined for an answer without a body. */
export interface Example extends ExampleValue {
  status: string
}

/**
 * Gives every example of the operation's answers, in the order of their statuses.
 * @throws {ContractError} when an answer has no example, or one that is not as its schema says
 */
export function examplesOf (
  schemas: Schemas,
  { operationId, pointer, responses }: Operation,
  checkOf: ReturnType<typeof checksOf>
): Example[] {
  return [...responses]
    .filter(([status]) => /^[2-5]\d\d$/.test(status))
    .flatMap(([status, { content }]) => {
      const media = content?.[MEDIA_TYPE]
      if (!media) return { status, name: undefined, value: undefined }
      const at = pointerTo(pointer, 'responses', status)
      const examples = examplesIn(schemas, { value: media, pointer: at })
      if (examples.length === 0) {
        throw new ContractError(`${at}: the answer ${status} of ${operationId} has no example to answer with.`)
      }
      const check = checkOf(media.schema ?? {})
      for (const { name, value } of examples) {
        // A copy, because the check fills in defaults.
        if (check(structuredClone(value))) continue
        const example = name === undefined ? 'an example' : `the example ${name}`
        throw new ContractError(
          `${at}: ${example} of ${operationId} is not as its schema says. ${describeFaults('body', check.errors!).message}`
        )
      }
      return examples.map((example) => ({ status, ...example }))
    })
}

/**
 * Makes a function that gives the headers of an answer by their examples: those that the response declares, or else
 * those that every response has.
 * @throws {ContractError} when a required header has no example
 */
export function exampleHeadersOf (
  document: Document,
  operations: Operation[]
): (operation?: Operation, status?: number) => Record<string, string> {
  const schemas = new Schemas(document)
  const byResponse = new Map<ResponseObject | undefined, Record<string, string>>()
  for (const operation of operations) {
    for (const [status, response] of operation.responses) {
      const pointer = pointerTo(operation.pointer, 'responses', status, 'headers')
      byResponse.set(response, headersOf(schemas, operation.operationId, { value: response, pointer }))
    }
  }
  const [first = {}, ...others] = byResponse.values()
  const common = Object.fromEntries(
    Object.entries(first).filter(([name]) => others.every((headers) => name in headers))
  )
  return (operation, status) => byResponse.get(operation?.responses.get(String(status))) ?? common
}

/** The headers of a response by their first examples. */
function headersOf (
  schemas: Schemas,
  operationId: string,
  { value: { headers = {} }, pointer }: Located<ResponseObject>
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const header = schemas.resolve({ value, pointer: pointerTo(pointer, name) })
    const [first] = examplesIn(schemas, header)
    if (first && isNextPage(name, first.value)) return []
    if (first) return [[name, String(first.value)]]
    if (!header.value.required) return []
    throw new ContractError(
      `${header.pointer}: the header ${name} of ${operationId} is required, but has no example to answer with.`
    )
  })
  return Object.fromEntries(entries)
}

/** Whether a header links to a next page: which answers have one, and where it is, depends on their requests. */
function isNextPage (name: string, value: unknown): boolean {
  return name.toLowerCase() === 'link' && /;\s*rel="?next\b/.test(String(value))
}

/** The examples of a body or a header: its named ones, or else the one that it or its schema has. */
function examplesIn (
  schemas: Schemas,
  { value: { schema = {}, example, examples = {} }, pointer }: Located<Exemplified>
): ExampleValue[] {
  const named = Object.entries(examples).map(([name, value]): ExampleValue => {
    const resolved = schemas.resolve({ value, pointer: pointerTo(pointer, 'examples', name) })
    return { name, value: resolved.value.value }
  })
  const { example: own, examples: list } = schemas.dereference(schema)
  const [first] = (list ?? []) as unknown[]
  const unnamed = { name: undefined, value: [example, own, first].find((value) => value !== undefined) }
  return (named.length > 0 ? named : [unnamed]).filter(({ value }) => value !== undefined)
}
