import type { Validator } from '@seriousme/openapi-schema-validator'
import { nameByPointers } from './normalize/schema-ids.js'
import { ContractError } from './contract-error.js'
import { checkReferences } from './reference.js'
import { checkSchemas } from './schema-check.js'
import { withoutData, type Schema } from './schema.js'
import { upgradeSchemas } from './normalize/upgrade.js'

/** The parts of an OpenAPI 3.1 document that the contract layer reads (https://spec.openapis.org/oas/v3.1.1). */
export interface Document {
  openapi: string
  info: { title: string; version: string; summary?: string; license?: { identifier?: string } }
  jsonSchemaDialect?: string
  servers?: ServerObject[]
  security?: SecurityRequirement[]
  paths?: Record<string, PathItem>
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, SecurityScheme> }
}

export interface ServerObject {
  url: string
  variables?: Record<string, { default: string }>
}

export interface SecurityScheme {
  type: string
  scheme?: string
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export type Method = (typeof METHODS)[number]

export type PathItem = { [method in Method]?: OperationObject } & {
  parameters?: ParameterObject[]
  servers?: ServerObject[]
  $ref?: string
}

export interface OperationObject {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: ParameterObject[]
  requestBody?: { required?: boolean; content: Content }
  responses?: Record<string, ResponseObject>
  security?: SecurityRequirement[]
  servers?: ServerObject[]
  deprecated?: boolean
  'x-deprecated-since'?: string
  'x-deprecated-sunset'?: string
  'x-successor'?: string
  'x-stability'?: string
}

export interface ParameterObject {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  style?: string
  explode?: boolean
  allowEmptyValue?: boolean
  schema?: Schema
  content?: Content
}

export interface ResponseObject {
  headers?: Record<string, Exemplified & { required?: boolean }>
  content?: Content
}

/** Media type, or range of them, to what a body of it is. */
export type Content = Record<string, MediaTypeObject>

export interface MediaTypeObject extends Exemplified {
  encoding?: Record<string, EncodingObject>
}

/** A body or a header, with what the document shows of it. */
export interface Exemplified {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

/** How a property of a form is written. */
export interface EncodingObject {
  contentType?: string
  style?: string
  explode?: boolean
}

/** Scheme name to the scopes it must have; all schemes of one requirement together, any requirement of a list. */
export type SecurityRequirement = Record<string, string[]>

/** Compiles the OpenAPI schema of a version when the first document of it comes. */
let openApi: Validator | undefined

/**
 * Reads an OpenAPI 3.0 or 3.1 document from its YAML or JSON text, checks it against the OpenAPI schema and follows
 * every reference once. It comes back in one form: the schemas of 3.0 in the words of 3.1, every reference a JSON
 * pointer.
 * @throws {ContractError} with a sentence that names the first place that is wrong
 */
export async function readDocument (text: string): Promise<Document> {
  // Loaded here, since a program whose document was read before needs neither: they take as long as the rest of its start.
  const { readTree } = await import('./text.js')
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const document = readTree(text)
  if (!isDocument(document)) {
    throw new ContractError(
      'The document is not an OpenAPI 3.0 or 3.1 document: its openapi field must begin with 3.0 or 3.1.'
    )
  }

  const old = document.openapi.startsWith('3.0')
  if (!old) nameByPointers(document)
  checkReferences(document)
  openApi ??= new Validator()
  const checked = await openApi.validate(withoutData(document) as never)
  if (!checked.valid) throw new ContractError(`The document is not valid OpenAPI: ${firstError(checked.errors)}`)
  checkSchemas(document)
  return old ? upgradeSchemas(document) : document
}

function isDocument (value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    'openapi' in value &&
    typeof value.openapi === 'string' &&
    /^3\.[01]\.\d/.test(value.openapi)
  )
}

/** The error that lies deepest: the shallow ones only say that some alternative did not fit. */
function firstError (errors: unknown): string {
  if (typeof errors === 'string') return errors
  const list = errors as { instancePath: string; message?: string; params?: object }[]
  const deepest = list.reduce((a, b) => (b.instancePath.split('/').length > a.instancePath.split('/').length ? b : a))
  return `${deepest.instancePath || 'the root'} ${deepest.message ?? 'is not valid'} ${JSON.stringify(deepest.params ?? {})}`
}
