import fc from 'fast-check'
import type { ParameterObject } from '../../src/contract/document/openapi.js'
import { MEDIA_TYPE, type Operation } from '../../src/contract/operation/operation.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { OPAQUE, type Issued } from './issued.js'
import { choosing, encoded, spelled, type Choose } from './spelling.js'
import { flat, typesIn, validValuesOf, type Json } from './values.js'

/**
 * A request to an operation. `fault` says what is wrong with it, and `wanted` with which statuses it may be refused;
 * both are undefined for a valid one.
 */
export interface FuzzRequest {
  operation: Operation
  method: string
  /** Under the base path, with its query. */
  path: string
  headers: Record<string, string>
  body?: string
  /** The value that the body spells. */
  sent?: Json
  fault?: string
  wanted?: number[]
}

/** What a request says before it is written: a text for each parameter, a value for the body. */
export interface Inputs {
  params: Record<string, string>
  query: [name: string, text: string][]
  headers: Record<string, string>
  body?: Json
}

/** Generates valid requests to an operation. */
export function validRequestsOf (document: object, operation: Operation, issued: Issued): fc.Arbitrary<FuzzRequest> {
  return validInputsOf(document, operation, issued).map(([inputs, choose]) => written(operation, inputs, choose))
}

/** Generates what valid requests to an operation say, each with a choice of how its values are spelled. */
export function validInputsOf (
  document: object,
  operation: Operation,
  issued: Issued
): fc.Arbitrary<[inputs: Inputs, choose: Choose]> {
  const choices = fc.array(fc.nat(999), { minLength: 1, maxLength: 20 }).map(choosing)
  return fc.tuple(inputsOf(document, operation, issued), choices)
}

function inputsOf (document: object, { parameters, body }: Operation, issued: Issued): fc.Arbitrary<Inputs> {
  const textOf = ({ in: where, name, schema }: ParameterObject): fc.Arbitrary<string[]> => {
    if (OPAQUE.has(name)) {
      return fc.nat().map((choice) => [issued.pick(name, choice)].filter((value) => value !== undefined))
    }
    // A header cannot hold every character.
    if (where === 'header' && typesIn(flat(document, schema!)).includes('string') && !schema!.pattern) {
      return fc.array(fc.stringMatching(/^[!-~]{1,40}$/), { minLength: 1, maxLength: 1 })
    }
    return validValuesOf(document, schema!, issued, name).map((value) => [value].flat().map(String))
  }
  const within = (where: string, rest = true) =>
    parameters.filter((parameter) => parameter.in === where && (rest || parameter.required))
  const texts = (where: string) =>
    fc.record(Object.fromEntries(within(where).map((parameter) => [parameter.name, textOf(parameter)])), {
      requiredKeys: within(where, false).map(({ name }) => name)
    })
  return fc.record({
    params: texts('path').map(firstOfEach),
    query: texts('query').map((all) =>
      Object.entries(all).flatMap(([name, values]) => (values ?? []).map((value): [string, string] => [name, value]))
    ),
    headers: texts('header').map(firstOfEach),
    ...(body ? { body: validValuesOf(document, bodySchemaOf(body), issued) } : {})
  }) as fc.Arbitrary<Inputs>
}

/** The schema of a body in JSON. */
export function bodySchemaOf ({ content }: NonNullable<Operation['body']>): Schema {
  return content[MEDIA_TYPE]!.schema!
}

function firstOfEach (all: Record<string, string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values![0]!]))
}

/** Writes a request as it is sent. */
export function written (operation: Operation, { params, query, headers, body }: Inputs, choose: Choose): FuzzRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]!, choose))
  const search = query.map(([name, text]) => `${encoded(name, choose)}=${encoded(text, choose)}`).join('&')
  const request = {
    operation,
    method: operation.method.toUpperCase(),
    path: search === '' ? path : `${path}?${search}`,
    headers
  }
  if (body === undefined) return request
  return { ...request, headers: { ...headers, 'content-type': MEDIA_TYPE }, body: spelled(body, choose), sent: body }
}
