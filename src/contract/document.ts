import { Validator } from '@seriousme/openapi-schema-validator'
import { parseDocument as parseYaml } from 'yaml'
import { ContractError } from './contract-error.js'
import { checkReferences } from './reference.js'
import { upgradeSchemas, type Schema } from './schema.js'

/** The parts of an OpenAPI 3.1 document that the contract layer reads (https://spec.openapis.org/oas/v3.1.1). */
export interface Document {
  openapi: string
  info: { title: string, version: string, summary?: string, license?: { identifier?: string } }
  servers?: { url: string, variables?: Record<string, { default: string }> }[]
  security?: SecurityRequirement[]
  paths?: Record<string, PathItem>
  components?: { schemas?: Record<string, Schema>, securitySchemes?: Record<string, { type: string, scheme?: string }> }
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export type Method = typeof METHODS[number]

export type PathItem = { [method in Method]?: OperationObject } & { parameters?: ParameterObject[], $ref?: string }

export interface OperationObject {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: ParameterObject[]
  requestBody?: { required?: boolean, content: Record<string, { schema?: Schema }> }
  responses?: Record<string, ResponseObject>
  security?: SecurityRequirement[]
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
  schema?: Schema
  content?: unknown
}

export interface ResponseObject {
  headers?: Record<string, Exemplified & { required?: boolean }>
  content?: Record<string, Exemplified>
}

/** A body or a header, with what the document shows of it. */
export interface Exemplified { schema?: Schema, example?: unknown, examples?: Record<string, { value?: unknown }> }

/** Scheme name to the scopes it must have; all schemes of one requirement together, any requirement of a list. */
export type SecurityRequirement = Record<string, string[]>

/**
 * Reads an OpenAPI 3.0 or 3.1 document from its YAML or JSON text, checks it against the OpenAPI schema and follows
 * every reference once. A 3.0 document comes back with its schemas in the form of 3.1.
 * @throws {ContractError} with a sentence that names the first place that is wrong
 */
export async function readDocument (text: string): Promise<Document> {
  const document = readYaml(text)
  if (!isDocument(document)) throw new ContractError('The document is not an OpenAPI 3.0 or 3.1 document: its openapi field must begin with 3.0 or 3.1.')

  checkReferences(document)
  const checked = await new Validator().validate(structuredClone(document) as never)
  if (!checked.valid) throw new ContractError(`The document is not valid OpenAPI: ${firstError(checked.errors)}`)
  return document.openapi.startsWith('3.0') ? upgradeSchemas(document) : document
}

/**
 * The path of the first server, without a trailing slash: the base path of every operation. Variables have their defaults.
 * @throws {ContractError} when servers with different paths are listed, as only one of them could be served
 */
export function basePathOf (document: Document): string {
  const paths = serverUrlsOf(document).map((url, index) => {
    if (!URL.canParse(url, 'http://localhost')) throw new ContractError(`#/servers/${index}: '${url}' is not a URL.`)
    return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
  })
  const [first = '', ...others] = paths
  const other = others.find((path) => path !== first)
  if (other !== undefined) throw new ContractError(`#/servers: the base paths '${first}' and '${other}' differ; one service has one base path.`)
  return decodeURI(first)
}

/** The URL of each server, `/` if none is listed. Variables have their defaults. */
export function serverUrlsOf ({ servers = [] }: Document): string[] {
  if (servers.length === 0) return ['/']
  return servers.map(({ url, variables = {} }) => url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? ''))
}

/** YAML, or JSON, which is YAML too, as a tree: aliases are written out. */
function readYaml (text: string): unknown {
  try {
    const yaml = parseYaml(text)
    const [syntaxError] = yaml.errors
    if (syntaxError) throw syntaxError
    return JSON.parse(JSON.stringify(yaml.toJS({ maxAliasCount: 1000 }) ?? null))
  } catch (cause) {
    throw new ContractError(`The document is not valid YAML: ${(cause as Error).message}`, { cause })
  }
}

function isDocument (value: unknown): value is Document {
  return typeof value === 'object' && value !== null && 'openapi' in value && typeof value.openapi === 'string' && /^3\.[01]\.\d/.test(value.openapi)
}

/** The error that lies deepest: the shallow ones only say that some alternative did not fit. */
function firstError (errors: unknown): string {
  if (typeof errors === 'string') return errors
  const list = errors as { instancePath: string, message?: string, params?: object }[]
  const deepest = list.reduce((a, b) => b.instancePath.split('/').length > a.instancePath.split('/').length ? b : a)
  return `${deepest.instancePath || 'the root'} ${deepest.message ?? 'is not valid'} ${JSON.stringify(deepest.params ?? {})}`
}
