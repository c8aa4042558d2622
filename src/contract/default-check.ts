import { ContractError } from './document/contract-error.js'
import type { Document } from './document/openapi.js'
import { isReference } from './document/reference.js'
import type { Schema } from './document/schema.js'
import { Schemas } from './document/schemas.js'
import { visitSchemas } from './document/walk.js'
import { jsonTextOf } from './document-text.js'
import type { Operation } from './operation/operation.js'
import { describeFaults } from './request/message.js'
import { defaultOf } from './validation/defaults.js'
import { checksOf } from './validation/validator.js'

/**
 * Checks that each default in the parameters and bodies of requests fits its own schema: every request that lacks the
 * value would be refused.
 * @throws {ContractError} for the first that does not, with its place
 */
export function checkDefaults (document: Document, operations: Operation[]): void {
  const schemas = new Schemas(document)
  const checkOf = checksOf(schemas, 'request')
  const visited = new Set<Schema>()
  const fitting = new Set<string>()
  const visit = (node: unknown): void => {
    visitSchemas(node, ({ value: schema }) => {
      if (visited.has(schema)) return
      visited.add(schema)
      if (isReference(schema)) visit(schemas.lookUp(schema.$ref))
      const value = defaultOf(schemas, schema)
      if (value === undefined) return
      // Many documents repeat the same few schemas.
      const text = jsonTextOf(schema)
      const check = fitting.has(text) ? undefined : checkOf(schema)
      if (check && !check(structuredClone(value))) {
        const { pointer = '', message } = describeFaults('body', check.errors!).faults[0]!
        const place = `${pointerOf(document, schema)}/default${pointer}`
        throw new ContractError(`${place}: the default ${message}, by its own schema.`)
      }
      fitting.add(text)
    })
  }
  for (const { parameters, body } of operations) visit([parameters, body])
}

function pointerOf (document: Document, schema: Schema): string {
  let found = '#'
  visitSchemas(document, ({ value, pointer }) => {
    if (value === schema) found = pointer
  })
  return found
}
