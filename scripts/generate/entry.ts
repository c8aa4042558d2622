import { astToString, stringToAST } from 'openapi-typescript'
import ts, { factory } from 'typescript'
import { ContractError } from '../../src/contract/document/contract-error.js'
import type { Document } from '../../src/contract/document/openapi.js'
import { rewriteSchemas } from '../../src/contract/document/walk.js'
import { MEDIA_TYPE, operationsOf, type Operation } from '../../src/contract/operation/operation.js'
import { comment, noticeOf, withSafeRanges } from './comments.js'
import { nodesOf } from './types.js'

/** The entry of the package: one TypeScript module, and the names that it exports. */
export interface Entry {
  source: string
  schemas: string[]
  operations: Map<Operation, string[]>
  values: string[]
}

const EXPORT = factory.createModifier(ts.SyntaxKind.ExportKeyword)
const HEAD = stringToAST(`
  import type { components, operations } from './petstore.js'
  export type { components, operations, paths, webhooks } from './petstore.js'
`) as ts.Node[]

/** Stands before the digits of an integer that openapi-typescript would round. */
const BIGINT = 'bigint:'

/** The values of an enumeration, as an array literal. */
interface Values {
  name: string
  list: ts.Expression
}

/** A type to be exported, as TypeScript, and what to say of it. */
interface Named {
  name: string
  type: string
  about: Parameters<typeof comment>[1]
  notice?: string | undefined
}

/**
 * Makes the module that a caller imports from the package. It names what a caller writes down: every schema, the parts
 * of every operation (`ListPetsQuery`, `…Path`, `…Header`, `…Body`, `…Response`, `…Error`), `ApiError` for any of the
 * errors, and the values of every enumeration. A name that both could have is the schema's.
 * @throws {ContractError} when two of a kind would have the same name
 */
export async function entryOf (document: Document): Promise<Entry> {
  const operations = operationsOf(document)
  const schemas = schemaTypes(document)
  const parts = new Map(
    operations.map((operation) => [operation, operationTypes(operation, noticeOf(operation, operations))])
  )
  const errors = [...parts.values()]
    .flat()
    .map(({ name }) => name)
    .filter((name) => name.endsWith('Error'))
  const values = await enumerationsOf(document)

  const taken = new Set(schemas.map(({ name }) => name))
  const any: Named = {
    name: 'ApiError',
    type: errors.join(' | ') || 'never',
    about: { description: 'What any operation answers when it fails.' }
  }
  const types = [...schemas, ...[...parts.values(), any].flat().filter(({ name }) => !taken.has(name))]
  refuseTwins([...types.map(({ name }) => name), ...values.map(({ name }) => name)])
  return {
    source: astToString([...HEAD, ...types.map(declare), ...values.map(publish)]),
    schemas: [...taken],
    operations: new Map([...parts].map(([operation, named]) => [operation, named.map(({ name }) => name)])),
    values: values.map(({ name }) => name)
  }
}

function schemaTypes (document: Document): Named[] {
  return Object.entries(withSafeRanges(document).components?.schemas ?? {}).map(([name, schema]) => ({
    name: pascal(name),
    type: `components["schemas"][${JSON.stringify(name)}]`,
    about: schema as Named['about']
  }))
}

function operationTypes (
  { operationId, method, path, parameters, body, responses, success }: Operation,
  notice: string | undefined
): Named[] {
  const operation = `operations[${JSON.stringify(operationId)}]`
  const call = `\`${operationId}\` (${method.toUpperCase()} ${path})`
  const contentOf = (part: string) => `${part}["content"]["${MEDIA_TYPE}"]`
  const withBody = [...responses].filter(([, { content }]) => content?.[MEDIA_TYPE]).map(([status]) => status)
  const failures = withBody.filter((status) => /^[45]|^default$/.test(status))
  const keyOf = (status: string) => (/^\d+$/.test(status) ? status : `"${status}"`)
  const responseAt = (statuses: string[]) => contentOf(`${operation}["responses"][${statuses.map(keyOf).join(' | ')}]`)

  const named = (suffix: string, type: string, description: string) => ({
    name: pascal(operationId) + suffix,
    type,
    about: { description },
    notice
  })
  return [
    ...['query', 'path', 'header']
      .filter((place) => parameters.some((parameter) => parameter.in === place))
      .map((place) =>
        named(
          pascal(place),
          `NonNullable<${operation}["parameters"]["${place}"]>`,
          `The ${place} parameters of ${call}.`
        )
      ),
    ...(body
      ? [named('Body', contentOf(`NonNullable<${operation}["requestBody"]>`), `The request body of ${call}.`)]
      : []),
    named(
      'Response',
      withBody.includes(String(success)) ? responseAt([String(success)]) : 'undefined',
      `What ${call} answers with ${success}.`
    ),
    ...(failures.length > 0
      ? [named('Error', responseAt(failures), `What ${call} answers when it fails, with ${failures.join(', ')}.`)]
      : [])
  ]
}

/**
 * The arrays that openapi-typescript makes of enumerations. It passes over those that allow null and rounds large
 * integers, so it sees neither.
 */
async function enumerationsOf (document: Document): Promise<Values[]> {
  const plain = rewriteSchemas(document, (part) => {
    if (!Array.isArray(part.enum)) return part
    const values = part.enum.filter((value) => value !== null)
    return { ...part, enum: values.map((value) => (typeof value === 'bigint' ? `${BIGINT}${value}` : value)) }
  })
  const nodes = await nodesOf(plain, { enumValues: true })
  return nodes.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.map(({ name, initializer }) => ({
      name: identifier((name as ts.Identifier).text),
      list: withBigInts(initializer as ts.ArrayLiteralExpression)
    }))
  )
}

function withBigInts ({ elements }: ts.ArrayLiteralExpression): ts.Expression {
  const exact = elements.map((element) => {
    if (!ts.isStringLiteral(element) || !element.text.startsWith(BIGINT)) return element
    const [, minus, digits] = /(-?)(\d+)$/.exec(element.text)!
    const literal = factory.createBigIntLiteral(`${digits}n`)
    return minus ? factory.createPrefixUnaryExpression(ts.SyntaxKind.MinusToken, literal) : literal
  })
  return factory.createArrayLiteralExpression(exact)
}

function declare ({ name, type, about, notice }: Named): ts.Node {
  return comment(
    factory.createTypeAliasDeclaration([EXPORT], name, undefined, factory.createTypeReferenceNode(type)),
    about,
    notice
  )
}

/** `export const petStatusValues = ["available", …] as const`: the exact values are its type. */
function publish ({ name, list }: Values): ts.Node {
  const exact = factory.createAsExpression(list, factory.createTypeReferenceNode('const'))
  const declaration = factory.createVariableDeclaration(name, undefined, undefined, exact)
  return factory.createVariableStatement(
    [EXPORT],
    factory.createVariableDeclarationList([declaration], ts.NodeFlags.Const)
  )
}

/** A name of the document as the name of a type: `list-pets` is `ListPets`. */
function pascal (text: string): string {
  const joined = text
    .split(/[^\w$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return identifier(joined)
}

/** No name in TypeScript begins with a digit. */
function identifier (name: string): string {
  return name.replace(/^(?=\d)/, '_')
}

function refuseTwins (names: string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  if (twin !== undefined) {
    throw new ContractError(`Two things of the document would be called ${twin} in the package; rename one of them.`)
  }
}
