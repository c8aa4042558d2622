import { ContractError } from '../document/contract-error.js'
import type { OperationObject } from '../document/openapi.js'

/** When an operation was deprecated, when it is to go, and the operationId of its replacement. */
export interface Deprecation {
  since: Date
  sunset: Date
  successor: string | undefined
}

/**
 * Reads `deprecated`, `x-deprecated-since`, `x-deprecated-sunset` and `x-successor` of an operation.
 * @throws {ContractError} when an operation is deprecated without its dates, or has dates without being deprecated
 */
export function readDeprecation (object: OperationObject, pointer: string): Deprecation | undefined {
  const dates = [object['x-deprecated-since'], object['x-deprecated-sunset']]
  if (!object.deprecated) {
    if (dates.some((date) => date !== undefined)) {
      throw new ContractError(`${pointer}: the operation has dates of deprecation, but not deprecated: true.`)
    }
    return undefined
  }
  const since = readDate('x-deprecated-since', dates[0], pointer)
  const sunset = readDate('x-deprecated-sunset', dates[1], pointer)
  if (sunset <= since) throw new ContractError(`${pointer}: x-deprecated-sunset must be later than x-deprecated-since.`)
  return { since, sunset, successor: object['x-successor'] }
}

function readDate (name: string, text: string | undefined, pointer: string): Date {
  if (text === undefined) throw new ContractError(`${pointer}: the operation is deprecated, but has no ${name}.`)
  const date = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(date.valueOf()) || !date.toISOString().startsWith(text)) {
    throw new ContractError(`${pointer}: ${name} is '${text}'; it must be a date such as 2030-12-05.`)
  }
  return date
}
