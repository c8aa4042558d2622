import { mediaTypeOf, isForm, isJson, isMultipart, isRange, isText, isXml } from './document/media-type.js'
import type { Operation } from './operation/operation.js'
import type { Content, Document, ParameterObject } from './document/document.js'
import { schemaAt, typesOf, type Schema } from './document/schema.js'

/** What a Fastify route registers, each schema taken from the document. */
export interface RouteSchema {
  params: Schema
  querystring: Schema
  headers: Schema
  body?: BodySchema
}

/** The schema of a body, for each key of its content. */
export interface BodySchema {
  required: boolean
  media: Record<string, Schema>
}

/**
 * The Fastify schema of an operation: what is not declared in path and query is refused, other headers are let through.
 */
export function routeSchemaOf (document: Document, { parameters, body }: Operation): RouteSchema {
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const schema: RouteSchema = {
    params: objectOf(document, within('path')),
    querystring: objectOf(document, within('query')),
    headers: {
      ...objectOf(
        document,
        within('header').map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }))
      ),
      additionalProperties: true
    }
  }
  if (body) {
    schema.body = {
      required: body.required,
      media: Object.fromEntries(
        Object.entries(body.content).map(([type, media]) => [type, bodySchemaOf(document, type, media)])
      )
    }
  }
  return schema
}

/** The schema of the cookies that an operation declares; others pass, as a browser sends all that it has. */
export function cookieSchemaOf (document: Document, { parameters }: Operation): Schema {
  return {
    ...objectOf(
      document,
      parameters.filter((parameter) => parameter.in === 'cookie')
    ),
    additionalProperties: true
  }
}

function objectOf (document: Document, parameters: ParameterObject[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(document, parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false
  }
}

function schemaOf (document: Document, { schema, content = {}, allowEmptyValue, in: where }: ParameterObject): Schema {
  const declared = schema ?? Object.values(content)[0]?.schema ?? {}
  return allowEmptyValue && where === 'query' && !typesOf(document, declared).includes('string')
    ? { anyOf: [declared, { const: '' }] }
    : declared
}

/** A body of a media type that is neither text nor taken apart is bytes, whose schema may call them a string. */
function bodySchemaOf (document: Document, type: string, { schema = {} }: Content[string]): Schema {
  const media = mediaTypeOf(type)
  const read = !media || isRange(media) || [isJson, isForm, isMultipart, isXml, isText].some((is) => is(media))
  return read || typesOf(document, schema).length === 0 ? schema : { ...schemaAt(document, schema), format: 'binary' }
}
