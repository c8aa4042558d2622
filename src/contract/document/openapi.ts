import type { Schema } from './schema.js'

/** The parts of an OpenAPI 3.1 document that the contract layer reads (https://spec.openapis.org/oas/v3.1.1). */
export interface Document {
  openapi: string
  info: { title: string; version: string; summary?: string; description?: string; license?: { identifier?: string } }
  jsonSchemaDialect?: string
  servers?: ServerObject[]
  security?: SecurityRequirement[]
  paths?: Record<string, PathItem>
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, SecurityScheme> }
}

/** A server, in whose URL variables may stand. */
export interface ServerObject {
  url: string
  variables?: Record<string, { default: string }>
}

/** A way to authenticate, such as `http` with the scheme `bearer`, or `apiKey` with the name of a header. */
export interface SecurityScheme {
  type: string
  scheme?: string
  in?: string
  name?: string
}

/** The methods that a path item may have an operation for. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
/** A method of HTTP, as a path item names it. */
export type Method = (typeof METHODS)[number]

/** The operations of a path, by their methods, and what they have in common. */
export type PathItem = { [method in Method]?: OperationObject } & {
  parameters?: ParameterObject[]
  servers?: ServerObject[]
  $ref?: string
}

/** An operation as it stands in the document. */
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

/** A parameter; it has either a schema or a content. */
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

/** What an operation answers with one status. */
export interface ResponseObject {
  headers?: Record<string, Exemplified & { required?: boolean; content?: Content }>
  content?: Content
}

/** What a body is, by its media type or a range of these. */
export type Content = Record<string, MediaTypeObject>

/** A body of one media type. */
export interface MediaTypeObject extends Exemplified {
  encoding?: Record<string, EncodingObject>
}

/** A body or a header, with its examples. */
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

/**
 * The scopes that a request must have, by the names of security schemes. It must fit all schemes of a requirement, and
 * one requirement of a list.
 */
export type SecurityRequirement = Record<string, string[]>
