import fc from 'fast-check'
import type { ParameterObject } from '../../src/contract/document/openapi.js'
import { MEDIA_TYPE, type Operation } from '../../src/contract/operation/operation.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { faultyTextsOf, faultyValuesOf, outside } from './faults.js'
import { OPAQUE, type Given } from './given.js'
import { choicesOf, encoded, spelled, type Choices } from './spelling.js'
import { flat, typesIn, valuesOf, type Json } from './values.js'

/**
 * A request to an operation. `fault` says what is wrong with it, and `wanted` with which statuses it may be refused;
 * none: it is valid.
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

/** The parts of a request before they are written: text for each parameter, a value for the body. */
interface Parts {
  params: Record<string, string>
  query: [name: string, text: string][]
  headers: Record<string, string>
  body?: Json
}

/** Valid requests to an operation, by construction. */
export function validRequestsOf (document: object, operation: Operation, given: Given): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(partsOf(document, operation, given), choices())
    .map(([parts, choose]) => written(operation, parts, choose))
}

/** Requests to an operation with one fault each, by construction. */
export function faultyRequestsOf (document: object, operation: Operation, given: Given): fc.Arbitrary<FuzzRequest> {
  const { parameters, body } = operation
  const valid = fc.tuple(partsOf(document, operation, given), choices())
  const changed = (
    fault: string,
    change: (request: FuzzRequest, parts: Parts, choose: Choices) => FuzzRequest,
    wanted = [400]
  ) => valid.map(([parts, choose]) => ({ ...change(written(operation, parts, choose), parts, choose), fault, wanted }))
  const withParts = (fault: string, change: (parts: Parts) => Parts) =>
    changed(fault, (_, parts, choose) => written(operation, change(parts), choose))

  const faulty: fc.Arbitrary<FuzzRequest>[] = [
    changed('no key', (request) => ({ ...request, headers: { ...request.headers, authorization: '' } }), [401]),
    changed(
      'a wrong key',
      (request) => ({ ...request, headers: { ...request.headers, authorization: 'Bearer pet_live_wrong' } }),
      [401]
    ),
    changed('a method that the path does not have', (request) => ({ ...request, method: 'PURGE' }), [405]),
    changed('another path', (request) => ({ ...request, path: `${request.path.split('?')[0]}/x/y` }), [404]),
    withParts('an unknown query parameter', (parts) => ({ ...parts, query: [...parts.query, ['x-unknown', '1']] }))
  ]
  for (const parameter of parameters) {
    const { name, in: where, required, schema } = parameter
    const title = `${where} parameter ${name}`
    const texts = faultyParameter(document, parameter)
    if (texts.length > 0) {
      faulty.push(
        fc.tuple(valid, fc.constantFrom(...texts)).map(([[parts, choose], text]) => ({
          ...written(operation, replaced(parts, parameter, text), choose),
          fault: `${title} ${JSON.stringify(text)}`,
          wanted: [400]
        }))
      )
    }
    if (where === 'query' && !typesIn(flat(document, schema!)).includes('array')) {
      faulty.push(
        withParts(`${title} twice`, (parts) => ({
          ...parts,
          query: [...parts.query.filter(([other]) => other !== name), [name, '1'], [name, '1']]
        }))
      )
    }
    if (where === 'query' && required) {
      faulty.push(
        withParts(`${title} missing`, (parts) => ({ ...parts, query: parts.query.filter(([other]) => other !== name) }))
      )
    }
  }
  if (body) {
    const withText = (fault: string, change: (text: string) => string, wanted = [400]) =>
      changed(fault, (request) => ({ ...request, body: change(request.body!) }), wanted)
    faulty.push(
      fc.tuple(valid, faultyValuesOf(document, bodySchemaOf(body), given)).map(([[parts, choose], value]) => ({
        ...written(operation, { ...parts, body: value }, choose),
        fault: `the body ${spelled(value, () => 0).slice(0, 300)}`,
        wanted: [400]
      })),
      withText('a body that breaks off', (text) => text.trimEnd().slice(0, -1)),
      withText('a body with more behind it', (text) => `${text},`),
      withText('a body behind a byte order mark', (text) => `\ufeff${text}`),
      withText('a body that is too large', (text) => text + ' '.repeat(16_385), [413]),
      changed(
        'a body of another type',
        (request) => ({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
        [415]
      ),
      changed(
        'an encoded body',
        (request) => ({ ...request, headers: { ...request.headers, 'content-encoding': 'gzip' } }),
        [415]
      )
    )
    if (body.required) faulty.push(changed('no body', ({ body: _, ...request }) => request))
  }
  return fc.oneof(...faulty)
}

function choices (): fc.Arbitrary<Choices> {
  return fc.array(fc.nat(999), { minLength: 1, maxLength: 20 }).map(choicesOf)
}

function partsOf (document: object, { parameters, body }: Operation, given: Given): fc.Arbitrary<Parts> {
  const textOf = ({ in: where, name, schema }: ParameterObject): fc.Arbitrary<string[]> => {
    if (OPAQUE.has(name)) {
      return fc.nat().map((choice) => [given.pick(name, choice)].filter((value) => value !== undefined))
    }
    // A header cannot hold every character.
    if (where === 'header' && typesIn(flat(document, schema!)).includes('string') && !schema!.pattern) {
      return fc.array(fc.stringMatching(/^[!-~]{1,40}$/), { minLength: 1, maxLength: 1 })
    }
    return valuesOf(document, schema!, given, name).map((value) => [value].flat().map(String))
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
    ...(body ? { body: valuesOf(document, bodySchemaOf(body), given) } : {})
  }) as fc.Arbitrary<Parts>
}

function bodySchemaOf ({ content }: NonNullable<Operation['body']>): Schema {
  return content[MEDIA_TYPE]!.schema!
}

function firstOfEach (all: Record<string, string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values![0]!]))
}

function replaced (parts: Parts, { name, in: where }: ParameterObject, text: string): Parts {
  if (where === 'path') return { ...parts, params: { ...parts.params, [name]: text } }
  if (where === 'query') return { ...parts, query: [...parts.query.filter(([other]) => other !== name), [name, text]] }
  return { ...parts, headers: { ...parts.headers, [name]: text } }
}

/** Texts that a parameter refuses, whatever its declared type is. */
function faultyParameter (document: object, { name, in: where, schema: declared }: ParameterObject): string[] {
  const schema = flat(document, declared!)
  const types = typesIn(schema)
  if (OPAQUE.has(name)) return ['x', '!', '0', 'MA==', 'x'.repeat(100)]
  // An empty path value is another path, and a header cannot hold every character.
  const sendable = (text: string) => where === 'query' || (text !== '' && (where === 'path' || /^[!-~]+$/.test(text)))
  if (schema.enum) return faultyTextsOf(schema).filter(sendable)
  if (types.includes('boolean')) return ['1', 'yes', 'TRUE', ' true', 'null'].filter(sendable)
  if (types.includes('integer')) {
    return [
      '',
      'x',
      '1.0',
      '1e1',
      '0x10',
      '+5',
      '05',
      '-0',
      ' 5',
      '5 ',
      '1_0',
      '1,2',
      '\u0663',
      'null',
      ...outside(schema).map(String)
    ].filter(sendable)
  }
  if (types.includes('string')) return faultyTextsOf(schema).filter(sendable)
  return types.includes('number') ? ['x', '0x1', 'NaN', ' 1', '1.'].filter(sendable) : []
}

function written (operation: Operation, { params, query, headers, body }: Parts, choose: Choices): FuzzRequest {
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
