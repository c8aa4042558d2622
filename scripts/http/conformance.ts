import type { Document, ResponseObject } from '../../src/contract/document/openapi.js'
import { resolve } from '../../src/contract/document/reference.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { parseJson } from '../../src/contract/request/json.js'
import { parameterReaderOf } from '../../src/contract/request/parameter.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import { checksOf, type Check } from '../../src/contract/validation/validator.js'

interface Reply {
  status: number
  headers: Headers
  text: string
}

/** What every answer under the base path has. */
const EVERY_ANSWER = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']

/**
 * Makes a check of answers against a document. It says in which of its status, body and headers an answer under the
 * base path differs from what the document declares; undefined when it conforms. An answer that is no operation's
 * (404, 405 …) must be an Error with the limit headers.
 */
export function conformanceOf (document: Document): (method: string, path: string, reply: Reply) => string | undefined {
  const operations = operationsOf(document)
  const schemas = new Schemas(document)
  const checkOf = checksOf(schemas)
  const error: Schema = { $ref: '#/components/schemas/Error' }
  const checks = new Map<Schema, Check>()

  const mismatch = (schema: Schema, value: unknown): string | undefined => {
    const check = checks.get(schema) ?? checkOf(schema)
    checks.set(schema, check)
    return check(value) ? undefined : jsonTextOf(check.errors)
  }

  const headerFault = (declared: ResponseObject, headers: Headers): string | undefined => {
    for (const [name, header] of Object.entries(declared.headers ?? {})) {
      const { required, schema } = resolve(document, { value: header, pointer: '' }).value
      const text = headers.get(name)
      if (text === null && required) return `the required header ${name} is missing`
      if (text === null) continue
      const fault = mismatch(schema!, parameterReaderOf(schemas, { name, in: 'header', schema: schema! })([text]))
      if (fault) return `the header ${name} is not as declared: ${fault}`
    }
    return undefined
  }

  const bodyFault = (declared: ResponseObject, { headers, text }: Reply): string | undefined => {
    const schema = declared.content?.['application/json']?.schema
    if (!schema) return text === '' ? undefined : 'a body that is not declared'
    const type = headers.get('content-type')
    if (type !== 'application/json; charset=utf-8') return `the content type is ${type}`
    return mismatch(schema, parseJson(Buffer.from(text)))
  }

  return (method, path, reply) => {
    const missing = EVERY_ANSWER.find((header) => !reply.headers.has(header))
    if (missing) return `the header ${missing} is missing`
    const operation = operationAt(operations, method, path)
    if (!operation) {
      if (reply.status < 400 || method === 'HEAD') return undefined
      return mismatch(error, parseJson(Buffer.from(reply.text)))
    }
    const declared = operation.responses.get(String(reply.status))
    if (!declared) return `the status is not declared for ${operation.operationId}`
    const fault = headerFault(declared, reply.headers)
    if (fault) return fault
    if (method !== 'HEAD') return bodyFault(declared, reply)
    return reply.text === '' ? undefined : 'an answer to HEAD has a body'
  }
}

function operationAt (operations: Operation[], method: string, path: string): Operation | undefined {
  const segments = path.split(/[?#]/, 1)[0]!.split('/')
  return operations.find((operation) => {
    const template = operation.path.split('/')
    return (
      operation.method === (method === 'HEAD' ? 'get' : method.toLowerCase()) &&
      template.length === segments.length &&
      template.every((part, index) => part.startsWith('{') || part === segments[index])
    )
  })
}
