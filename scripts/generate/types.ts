import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { METHODS, type Document, type OperationObject } from '../../src/contract/document/openapi.js'
import { namesBigInt, ownTypesOf } from '../../src/contract/document/schema.js'
import { resolve } from '../../src/contract/document/reference.js'
import { rewriteSchemas } from '../../src/contract/document/walk.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { comment, completeDeprecated, noticeOf, withSafeRanges } from './comments.js'
import { allowUndefined } from './optional.js'

type Options = Parameters<typeof openapiTS>[1]

/** The comment at the top of each file of code that is made. */
export const NOTICE = '// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.'

/** Writes the types of a document as its callers see it, with all that an editor should show beside them. */
export async function callerTypesOf (document: Document): Promise<string> {
  // A property with a default need not be sent.
  const nodes = await nodesOf(withSafeRanges(document), { defaultNonNullable: false })
  describeOperations(nodes, document)
  allowUndefined(nodes)
  return astToString(nodes)
}

/** Writes the types of a document as handlers see it: an int64 may be a bigint, and no default is missing. */
export async function serverTypesOf (document: Document): Promise<string> {
  return astToString(await nodesOf(asServerSeesIt(document), exactInt64))
}

/**
 * Turns a document into TypeScript by openapi-typescript, which rounds large integers. A schema that names some has the
 * type of an int64, not of its values; in comments they keep their digits.
 */
export function nodesOf (document: Document, options?: Options): Promise<ts.Node[]> {
  const rounded = rewriteSchemas(document, (schema) => {
    const shown = Object.fromEntries(SHOWN.flatMap((name) => (name in schema ? [[name, inDigits(schema[name])]] : [])))
    if (!namesBigInt(schema) && !holdsBigInt(schema.const) && !holdsBigInt(schema.enum)) return { ...schema, ...shown }
    const { enum: values, const: value, ...rest } = { ...schema, ...shown }
    const implied = ownTypesOf(schema).map((type) => (type === 'number' ? 'integer' : type))
    const types = [schema.type ?? [...new Set(implied)]].flat()
    return types.includes('integer') ? { ...rest, type: types, format: 'int64' } : rest
  })
  const text = JSON.stringify(rounded, (name, value: unknown) => {
    if (typeof value !== 'bigint') return value
    return SHOWN.includes(name) ? String(value) : Number(value)
  })
  return openapiTS(text, options)
}

/** The keywords whose values stand in comments. */
const SHOWN = ['default', 'example', 'examples']

/** Copies a value, with the digits of each bigint as text. */
function inDigits (value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))
}

function holdsBigInt (value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && Object.values(value ?? {}).some(holdsBigInt))
}

/**
 * Comments the entries of `operations`, which openapi-typescript does not, and completes each `@deprecated` of `paths`.
 */
function describeOperations (nodes: ts.Node[], document: Document): void {
  const operations = operationsOf(document)
  const notices = new Map(operations.map((operation) => [operation.operationId, noticeOf(operation, operations)]))
  const objects = new Map(
    operations.map(({ operationId, pointer }) => [
      operationId,
      resolve<OperationObject>(document, { value: { $ref: pointer } as OperationObject, pointer }).value
    ])
  )

  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) completeDeprecated(node, notices.get(operationAt(node) ?? ''))
    ts.forEachChild(node, visit)
  }
  nodes.forEach(visit)
  const interfaces = nodes.filter(ts.isInterfaceDeclaration)
  for (const entry of interfaces.find(({ name }) => name.text === 'operations')?.members ?? []) {
    const id = (entry.name as ts.Identifier | ts.StringLiteral).text
    comment(entry, objects.get(id)!, notices.get(id))
  }
}

/** `getPet` for a property of the type `operations["getPet"]`. */
function operationAt ({ type }: ts.PropertySignature): string | undefined {
  if (!type || !ts.isIndexedAccessTypeNode(type)) return undefined
  const { objectType, indexType } = type
  const named =
    ts.isTypeReferenceNode(objectType) &&
    ts.isIdentifier(objectType.typeName) &&
    objectType.typeName.text === 'operations'
  return named && ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal)
    ? indexType.literal.text
    : undefined
}

/** On the server, format: int64 is a bigint where a number would round. */
const exactInt64: Options = {
  transform: (schema) => {
    if (!('format' in schema) || schema.format !== 'int64') return undefined
    const types = [ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.BigIntKeyword].map((kind): ts.TypeNode =>
      ts.factory.createKeywordTypeNode(kind as ts.KeywordTypeSyntaxKind)
    )
    if ([schema.type as string | string[]].flat().includes('null')) {
      types.push(ts.factory.createLiteralTypeNode(ts.factory.createNull()))
    }
    return ts.factory.createUnionTypeNode(types)
  }
}

/** A handler gets the defaults of parameters that were not sent, so those are never missing. */
function asServerSeesIt (source: Document): Document {
  const copy = structuredClone(source)
  for (const item of Object.values(copy.paths ?? {})) {
    for (const parameter of [item, ...METHODS.map((method) => item[method])].flatMap(
      (part) => part?.parameters ?? []
    )) {
      const { value } = resolve(copy, { value: parameter, pointer: '' })
      if (value.schema && resolve(copy, { value: value.schema, pointer: '' }).value.default !== undefined) {
        value.required = true
      }
    }
  }
  return copy
}
