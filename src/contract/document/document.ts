import type { Validator } from '@seriousme/openapi-schema-validator'
import type { ErrorObject } from 'ajv'
import { ContractError } from './contract-error.js'
import { violationOf } from './expectation.js'
import { cutInheritanceLoops } from './normalize/inheritance.js'
import { replaceMediaTypes } from './normalize/media-types.js'
import { replaceIds } from './normalize/schema-ids.js'
import { upgradeSchemas } from './normalize/upgrade.js'
import type { Document } from './openapi.js'
import { checkReferences, checkSchemas } from './schema-check.js'
import { withoutData } from './walk.js'

/** Compiles the OpenAPI schema of a version when the first document of it comes. */
let openApi: Validator | undefined

/**
 * Reads an OpenAPI 3.0, 3.1 or 3.2 document from its YAML or JSON text, checks it against the OpenAPI schema and
 * follows every reference once. It comes back in one form: the schemas of 3.0 in the words of 3.1, every reference a
 * JSON pointer.
 * @throws {ContractError} with a sentence that names the first place that is wrong
 */
export async function readDocument (text: string): Promise<Document> {
  // Loaded here: a program whose document was read before needs neither, and they take as long as the rest of its
  // start.
  const { readTree } = await import('./text.js')
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const document = readTree(text)
  if (!isDocument(document)) {
    throw new ContractError(
      'The document is not an OpenAPI 3.0, 3.1 or 3.2 document: its openapi field must begin with 3.0, 3.1 or 3.2.'
    )
  }

  const is30 = document.openapi.startsWith('3.0')
  if (!is30) replaceIds(document)
  checkReferences(document)
  openApi ??= new Validator()
  const checked = await openApi.validate(withoutData(document) as never)
  // Its own check of references, whose errors are a string, loses what stands beside a $ref.
  if (!checked.valid && typeof checked.errors !== 'string') throw new ContractError(firstViolation(checked.errors))
  replaceMediaTypes(document)
  cutInheritanceLoops(document)
  checkSchemas(document)
  return is30 ? upgradeSchemas(document) : document
}

function isDocument (value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    'openapi' in value &&
    typeof value.openapi === 'string' &&
    /^3\.[012]\.\d/.test(value.openapi)
  )
}

/** The error that lies deepest: the shallow ones only say that some alternative did not fit. */
function firstViolation (errors: unknown): string {
  if (typeof errors === 'string') return `The document is not valid OpenAPI: ${errors}.`
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  const deepest = (errors as ErrorObject[]).reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a))
  return violationOf('OpenAPI', '#', deepest)
}
