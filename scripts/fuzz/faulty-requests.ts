import fc from 'fast-check'
import type { ParameterObject } from '../../src/contract/document/openapi.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { faultyTextsOf, faultyValuesOf, outside } from './faulty-values.js'
import { OPAQUE, type Issued } from './issued.js'
import { bodySchemaOf, validInputsOf, written, type FuzzRequest, type Inputs } from './requests.js'
import { spelled, type Choose } from './spelling.js'
import { flat, typesIn } from './values.js'

/** Texts that look like an integer and are none in the spelling that is asked for. */
const NO_INTEGERS = ['', 'x', '1.0', '1e1', '0x10', '+5', '05', '-0', ' 5', '5 ', '1_0', '1,2', '\u0663', 'null']

/** Generates requests to an operation with one fault each. */
export function faultyRequestsOf (document: object, operation: Operation, issued: Issued): fc.Arbitrary<FuzzRequest> {
  const faults = new Faults(document, operation, issued)
  const ofParameters = operation.parameters.flatMap((parameter) => faults.ofParameter(parameter))
  return fc.oneof(...faults.ofAnyOperation(), ...ofParameters, ...faults.ofBody())
}

/** The faults that requests to one operation may have. */
class Faults {
  readonly #document: object
  readonly #operation: Operation
  readonly #issued: Issued
  readonly #valid: fc.Arbitrary<[inputs: Inputs, choose: Choose]>

  constructor (document: object, operation: Operation, issued: Issued) {
    this.#document = document
    this.#operation = operation
    this.#issued = issued
    this.#valid = validInputsOf(document, operation, issued)
  }

  ofAnyOperation (): fc.Arbitrary<FuzzRequest>[] {
    return [
      this.#withHeader('no key', 'authorization', '', [401]),
      this.#withHeader('a wrong key', 'authorization', 'Bearer pet_live_wrong', [401]),
      this.#changed('a method that the path does not have', (request) => ({ ...request, method: 'PURGE' }), [405]),
      this.#changed('another path', (request) => ({ ...request, path: `${request.path.split('?')[0]}/x/y` }), [404]),
      this.#withInputs('an unknown query parameter', (inputs) => withQuery(inputs, 'x-unknown', '1'))
    ]
  }

  ofParameter (parameter: ParameterObject): fc.Arbitrary<FuzzRequest>[] {
    const { name, in: where, required, schema } = parameter
    const title = `${where} parameter ${name}`
    const texts = faultyParameter(this.#document, parameter)
    const isList = typesIn(flat(this.#document, schema!)).includes('array')
    return [
      ...(texts.length > 0
        ? [
            fc.tuple(this.#valid, fc.constantFrom(...texts)).map(([[inputs, choose], text]) => ({
              ...written(this.#operation, withText(inputs, parameter, text), choose),
              fault: `${title} ${JSON.stringify(text)}`,
              wanted: [400]
            }))
          ]
        : []),
      ...(where === 'query' && !isList
        ? [this.#withInputs(`${title} twice`, (inputs) => withQuery(inputs, name, '1', '1'))]
        : []),
      ...(where === 'query' && required
        ? [this.#withInputs(`${title} missing`, (inputs) => withQuery(inputs, name))]
        : [])
    ]
  }

  ofBody (): fc.Arbitrary<FuzzRequest>[] {
    const { body } = this.#operation
    if (!body) return []
    const withText = (fault: string, change: (text: string) => string, wanted = [400]) =>
      this.#changed(fault, (request) => ({ ...request, body: change(request.body!) }), wanted)
    const values = faultyValuesOf(this.#document, bodySchemaOf(body), this.#issued)
    return [
      fc.tuple(this.#valid, values).map(([[inputs, choose], value]) => ({
        ...written(this.#operation, { ...inputs, body: value }, choose),
        fault: `the body ${spelled(value, () => 0).slice(0, 300)}`,
        wanted: [400]
      })),
      withText('a body that breaks off', (text) => text.trimEnd().slice(0, -1)),
      withText('a body with more behind it', (text) => `${text},`),
      withText('a body behind a byte order mark', (text) => `\ufeff${text}`),
      withText('a body that is too large', (text) => text + ' '.repeat(16_385), [413]),
      this.#withHeader('a body of another type', 'content-type', 'text/plain', [415]),
      this.#withHeader('an encoded body', 'content-encoding', 'gzip', [415]),
      ...(body.required ? [this.#changed('no body', ({ body: _, ...request }) => request)] : [])
    ]
  }

  /** Valid requests that are changed after they were written. */
  #changed (
    fault: string,
    change: (request: FuzzRequest) => FuzzRequest,
    wanted = [400]
  ): fc.Arbitrary<FuzzRequest> {
    return this.#valid.map(([inputs, choose]) => ({
      ...change(written(this.#operation, inputs, choose)),
      fault,
      wanted
    }))
  }

  #withHeader (fault: string, name: string, value: string, wanted: number[]): fc.Arbitrary<FuzzRequest> {
    return this.#changed(fault, (request) => ({ ...request, headers: { ...request.headers, [name]: value } }), wanted)
  }

  /** Requests of which what they say was changed before they were written. */
  #withInputs (fault: string, change: (inputs: Inputs) => Inputs): fc.Arbitrary<FuzzRequest> {
    return this.#valid.map(([inputs, choose]) => ({
      ...written(this.#operation, change(inputs), choose),
      fault,
      wanted: [400]
    }))
  }
}

/** The same with exactly these texts for a query parameter. */
function withQuery (inputs: Inputs, name: string, ...texts: string[]): Inputs {
  const others = inputs.query.filter(([other]) => other !== name)
  return { ...inputs, query: [...others, ...texts.map((text): [string, string] => [name, text])] }
}

/** The same with another text for a parameter. */
function withText (inputs: Inputs, { name, in: where }: ParameterObject, text: string): Inputs {
  if (where === 'query') return withQuery(inputs, name, text)
  const part = where === 'path' ? 'params' : 'headers'
  return { ...inputs, [part]: { ...inputs[part], [name]: text } }
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
    return [...NO_INTEGERS, ...outside(schema).map(String)].filter(sendable)
  }
  if (types.includes('string')) return faultyTextsOf(schema).filter(sendable)
  return types.includes('number') ? ['x', '0x1', 'NaN', ' 1', '1.'].filter(sendable) : []
}
