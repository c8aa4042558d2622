import { isForm, isJson, isMultipart, isRange, isText, isXml, mediaTypeOf } from './document/media-type.js'
import type { MediaTypeObject, ParameterObject } from './document/openapi.js'
import type { Schema } from './document/schema.js'
import type { Schemas } from './document/schemas.js'
import type { Operation } from './operation/operation.js'
import { SPELLINGS } from './request/message.js'

/** The schemas of the requests to an operation, under the names that Fastify has for the parts of a request. */
export interface RequestSchemas {
  params: Schema
  querystring: Schema
  headers: Schema
  cookies: Schema
  /** By each key of the body's content; empty when there is no body. */
  bodies: Map<string, Schema>
}

/**
 * Takes the schemas of the requests to an operation out of the document. What is not declared in path and query is
 * refused; other headers and cookies are let through, as clients send them of their own accord.
 */
export function requestSchemasOf (schemas: Schemas, { parameters, body }: Operation): RequestSchemas {
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const headers = within('header').map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }))
  const spellings = Object.fromEntries(within('header').map(({ name }) => [name.toLowerCase(), name]))
  return {
    params: objectOf(schemas, within('path')),
    querystring: objectOf(schemas, within('query')),
    headers: { ...objectOf(schemas, headers), additionalProperties: true, [SPELLINGS]: spellings },
    cookies: { ...objectOf(schemas, within('cookie')), additionalProperties: true },
    bodies: new Map(Object.entries(body?.content ?? {}).map(([key, media]) => [key, bodySchemaOf(schemas, key, media)]))
  }
}

/** The schema of an object that has a property for each parameter, and no other. */
function objectOf (schemas: Schemas, parameters: ParameterObject[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(schemas, parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false
  }
}

function schemaOf (schemas: Schemas, { schema, content = {}, allowEmptyValue, in: where }: ParameterObject): Schema {
  const declared = schema ?? Object.values(content)[0]?.schema ?? {}
  return allowEmptyValue && where === 'query' && !schemas.types(declared).includes('string')
    ? { anyOf: [declared, { const: '' }] }
    : declared
}

/** A body of a media type that is neither text nor taken apart is bytes, whose schema may call them a string. */
function bodySchemaOf (schemas: Schemas, key: string, { schema = {} }: MediaTypeObject): Schema {
  const media = mediaTypeOf(key)
  const isRead = !media || isRange(media) || [isJson, isForm, isMultipart, isXml, isText].some((is) => is(media))
  return isRead || schemas.types(schema).length === 0 ? schema : { ...schemas.dereference(schema), format: 'binary' }
}
