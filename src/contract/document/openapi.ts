import type { Schema } from './schema.js'

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
