import type { InjectOptions } from 'fastify'
import { isJson, mediaTypeOf } from '../../src/contract/document/media-type.js'
import type { Content, Document, ParameterObject } from '../../src/contract/document/openapi.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { samplerOf, type Sampler } from './sample.js'
import type { SampleServer } from './serve.js'

/** How the operations of a document answered. */
export interface Answers {
  /** How many operations were answered with each class of status. */
  counts: Record<string, number>
  /** Each 5xx that the document does not declare, and each failure of the app, be its status declared or not. */
  faults: string[]
}

/** Calls every operation once with samples of what it requires; one for which none was found may be refused (400). */
export async function callAll (
  { app, operations, internalErrors }: SampleServer,
  document: Document
): Promise<Answers> {
  const answers: Answers = { counts: {}, faults: [] }
  const schemas = new Schemas(document)
  const sampleOf = samplerOf(schemas, 'request')
  for (const operation of operations) {
    const before = internalErrors.length
    const { statusCode, body } = await app.inject(requestOf(sampleOf, operation))
    const kind = `${String(statusCode)[0]}xx`
    answers.counts[kind] = (answers.counts[kind] ?? 0) + 1
    const declared = [String(statusCode), kind.toUpperCase(), 'default'].some((status) =>
      operation.responses.has(status)
    )
    const failed = internalErrors.length > before
    if (failed || (statusCode >= 500 && !declared)) {
      answers.faults.push(`${operation.pointer}: ${statusCode} ${body.slice(0, 300)}`)
    }
  }
  return answers
}

/** Makes a request of an operation with samples of what it requires, for `inject` of Fastify. */
export function requestOf (sampleOf: Sampler, { route, method, parameters, body }: Operation): InjectOptions {
  const textOf = ({ schema, content = {} }: ParameterObject): string => {
    const value = sampleOf(schema ?? Object.values(content)[0]?.schema ?? {})?.value
    const isList = Array.isArray(value)
    if (typeof value === 'object' && !isList) return jsonTextOf(value)
    const text = isList ? value.map(String).join(',') : String(value)
    return text === '' ? 'x' : text
  }
  const needed = (where: ParameterObject['in']) =>
    parameters
      .filter((parameter) => parameter.in === where && (parameter.required || where === 'path'))
      .map((parameter): [string, string] => [parameter.name, textOf(parameter)])
  const values = new Map(needed('path'))
  const query = new URLSearchParams(needed('query'))
  const cookie = needed('cookie')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
  const url = route.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values.get(name)!))
  const sent = body && sampleBody(sampleOf, body.content)
  return {
    method: method.toUpperCase() as 'GET',
    url: query.size > 0 ? `${url}?${query}` : url,
    headers: {
      ...Object.fromEntries(needed('header')),
      ...(cookie === '' ? {} : { cookie }),
      ...(sent ? { 'content-type': sent.type } : {})
    },
    ...(sent ? { payload: sent.payload } : {})
  }
}

/** A body in JSON where the document has it, or else as a form or text. */
function sampleBody (sampleOf: Sampler, content: Content): { type: string; payload: string } {
  const types = Object.keys(content)
  const type = types.find((one) => isJson(mediaTypeOf(one)!)) ?? types[0] ?? '*/*'
  const sample = sampleOf(content[type]?.schema ?? {})?.value ?? null
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { type, payload: new URLSearchParams(sample as Record<string, string>).toString() }
  }
  return type.includes('*')
    ? { type: 'application/json', payload: jsonTextOf(sample) }
    : { type, payload: isJson(mediaTypeOf(type)!) ? jsonTextOf(sample) : String(sample) }
}
