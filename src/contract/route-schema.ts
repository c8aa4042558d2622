import { MEDIA_TYPE, type Operation } from './operation.js'
import type { ParameterObject } from './document.js'
import { absolute, type Schema } from './schema.js'

/** What a Fastify route registers, each schema taken from the document. */
export interface RouteSchema {
  params: Schema
  querystring: Schema
  headers: Schema
  body?: Schema
  response: Record<string, Schema>
}

/** The Fastify schema of an operation: what is not declared in path and query is refused, other headers are let through. */
export function routeSchemaOf ({ parameters, body, responses }: Operation): RouteSchema {
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const schema: RouteSchema = {
    params: objectOf(within('path')),
    querystring: objectOf(within('query')),
    headers: { ...objectOf(within('header').map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }))), additionalProperties: true },
    response: Object.fromEntries([...responses].flatMap(([status, { content }]) =>
      content?.[MEDIA_TYPE]?.schema ? [[status, absolute(content[MEDIA_TYPE].schema)]] : []))
  }
  if (body) schema.body = { ...absolute(body.schema), 'x-required': body.required }
  return schema
}

function objectOf (parameters: ParameterObject[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, absolute(schema!)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false
  }
}
