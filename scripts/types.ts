import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { METHODS, type Document } from '../src/contract/document.js'
import { resolve } from '../src/contract/reference.js'

type Transform = Parameters<typeof openapiTS>[1]

/** The types of a document as its callers see it. */
export async function typesOf (source: Document, transform?: Transform): Promise<string> {
  return '// Made from openapi/petstore.yaml by `npm run generate`. Do not edit.\n\n' + astToString(await openapiTS(JSON.stringify(source), transform))
}

/** The types of a document as handlers see it. */
export function serverTypesOf (source: Document): Promise<string> {
  return typesOf(asServerSeesIt(source), exactInt64)
}

/** On the server, format: int64 is a bigint where a number would round. */
const exactInt64: Transform = {
  transform: (schema) => {
    if (!('format' in schema) || schema.format !== 'int64') return undefined
    const types = [ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.BigIntKeyword].map((kind): ts.TypeNode => ts.factory.createKeywordTypeNode(kind as ts.KeywordTypeSyntaxKind))
    if ([schema.type as string | string[]].flat().includes('null')) types.push(ts.factory.createLiteralTypeNode(ts.factory.createNull()))
    return ts.factory.createUnionTypeNode(types)
  }
}

/** A handler gets the defaults of parameters that were not sent, so those are never missing. */
function asServerSeesIt (source: Document): Document {
  const copy = structuredClone(source)
  for (const item of Object.values(copy.paths ?? {})) {
    for (const parameter of [item, ...METHODS.map((method) => item[method])].flatMap((part) => part?.parameters ?? [])) {
      const { value } = resolve(copy, { value: parameter, pointer: '' })
      if (value.schema && resolve(copy, { value: value.schema, pointer: '' }).value.default !== undefined) value.required = true
    }
  }
  return copy
}
