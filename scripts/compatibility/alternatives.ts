import { lookUp } from '../../src/contract/document/reference.js'
import type { Schema } from '../../src/contract/document/schema.js'

/** Schemas that a value must fit all together, without references, `allOf`, `anyOf` and `oneOf`. */
export type Parts = Schema[]

/** Parts of one type; undefined is any type. */
export interface Alternative {
  parts: Parts
  type: string | undefined
}

/**
 * Writes schemas that a value must fit all together as a list of choices: a value fits the schemas when it fits all
 * parts of one of the choices. No choice means that nothing fits. `oneOf` is read as `anyOf`.
 */
export function choicesOf (document: object, schemas: (Schema | boolean)[]): Parts[] {
  return schemas.map((schema) => expand(document, schema)).reduce(together, [[]])
}

/** Writes schemas as {@link choicesOf} does, with a choice for each type that they allow. */
export function alternativesOf (document: object, schemas: Schema[]): Alternative[] {
  return choicesOf(document, schemas).flatMap(
    (parts): Alternative[] =>
      allowedTypes(parts)?.map((type) => ({ parts: [...parts, { type }], type })) ?? [{ parts, type: undefined }]
  )
}

/** Lists the types that all the parts allow; undefined if they name none. An integer is a number. */
export function allowedTypes (parts: Parts): string[] | undefined {
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]))
  if (lists.length === 0) return undefined
  const named = [...new Set(lists.flat())]
  return named.filter((type) =>
    lists.every((list) => list.includes(type) || (type === 'integer' && list.includes('number')))
  )
}

/** Lists the values of a keyword in the parts that have it. */
export function keywordValues<Value = unknown> (parts: Parts, keyword: string): Value[] {
  return parts.map((part) => part[keyword]).filter((value) => value !== undefined) as Value[]
}

function expand (document: object, schema: Schema | boolean): Parts[] {
  if (typeof schema === 'boolean') return schema ? [[]] : []
  const {
    $ref,
    allOf = [],
    anyOf,
    oneOf,
    ...own
  } = schema as Schema & { [choice in 'allOf' | 'anyOf' | 'oneOf']?: Schema[] }
  const all = choicesOf(document, [...($ref === undefined ? [] : [lookUp(document, $ref, '#') as Schema]), ...allOf])
  const any = [anyOf, oneOf].flatMap((choices) =>
    choices ? [choices.flatMap((choice) => expand(document, choice))] : []
  )
  return [...any, [[own]]].reduce(together, all)
}

function together (some: Parts[], others: Parts[]): Parts[] {
  return some.flatMap((one) => others.map((other) => [...one, ...other]))
}
