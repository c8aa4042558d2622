import type { Schema } from '../../src/contract/document/schema.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { styleOf } from '../../src/contract/operation/parameter-style.js'
import { answerChanges } from './answers.js'
import { changesOf, within } from './schema.js'
import { securityChanges } from './security.js'
import { methodAndPath, type Version } from './version.js'

type Parameter = Operation['parameters'][number]

const NOUNS = { query: 'Query parameter', path: 'Path parameter', header: 'Header', cookie: 'Cookie' }
const STABILITIES = ['experimental', 'beta', 'stable']

/** Lists what breaks the callers of an operation when another takes its place, a sentence each. */
export function operationChanges (was: Version, now: Version, today: Date): string[] {
  return [
    ...identityChanges(was.operation, now.operation, today),
    ...securityChanges(was, now),
    ...parameterChanges(was, now),
    ...bodyChanges(was, now),
    ...answerChanges(was, now)
  ]
}

function identityChanges (was: Operation, now: Operation, today: Date): string[] {
  const [oldCall, call] = [methodAndPath(was), methodAndPath(now)]
  const [oldStability, stability] = [was.stability ?? 'stable', now.stability ?? 'stable']
  return [
    ...(oldCall !== call ? [`${oldCall} is now ${call}.`] : []),
    ...(was.operationId !== now.operationId ? [`The operationId of ${oldCall} is now ${now.operationId}.`] : []),
    ...(STABILITIES.indexOf(stability) < STABILITIES.indexOf(oldStability)
      ? [`The operation is now ${stability}, no longer ${oldStability}.`]
      : []),
    ...sunsetChanges(was.deprecation?.sunset, now.deprecation?.sunset, today)
  ]
}

function sunsetChanges (was: Date | undefined, now: Date | undefined, today: Date): string[] {
  const day = (date: Date) => date.toISOString().slice(0, 10)
  if (!now) return []
  if (was) return now < was ? [`The sunset is now ${day(now)}, no longer ${day(was)}.`] : []
  return now <= today ? [`The operation is deprecated with a sunset that has passed, ${day(now)}.`] : []
}

function parameterChanges (was: Version, now: Version): string[] {
  const keyOf = ({ in: where, name }: Parameter) =>
    `${where} ${where === 'header' ? name.toLowerCase() : name}`
  const [before, after] = [was, now].map(
    ({ operation }) => new Map(operation.parameters.map((parameter) => [keyOf(parameter), parameter]))
  )
  return [...new Map([...before!, ...after!])].flatMap(([key, parameter]) => {
    const { in: where, name } = parameter
    const [old, present] = [before!.get(key), after!.get(key)]
    const subject = `${NOUNS[where]} '${name}'`
    // The names in a path are told by the path.
    if (where === 'path' && !(old && present)) return []
    if (!present) return [`${subject} is removed.`]
    const demanded = present.required && !old?.required ? [`${subject} is now required.`] : []
    if (!old) return demanded
    const changes = changesOf('request', { ...was, schema: schemaOf(old) }, { ...now, schema: schemaOf(present) })
    return [...demanded, ...changes.map(({ path, text }) => `${NOUNS[where]} '${placeIn(old, path)}' ${text}.`)]
  })
}

function schemaOf ({ schema, content = {} }: Parameter): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {}
}

/** The place of a value in a parameter, as callers write it in the style deepObject: `filter[size][min]`. */
function placeIn (parameter: Parameter, path: string): string {
  const { name } = parameter
  if (styleOf(parameter).style !== 'deepObject') return within(name, path)
  return name + path.replace(/[^.[\]]+/g, '[$&]').replaceAll('.', '')
}

function bodyChanges (was: Version, now: Version): string[] {
  const [before, after] = [was.operation.body, now.operation.body]
  if (!after) return before ? ['The body is removed.'] : []
  return [
    ...(after.required && !before?.required ? ['The body is now required.'] : []),
    ...Object.entries(before?.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const present = after.content[type]
      if (!present) return [`The body can no longer be sent as ${type}.`]
      return changesOf('request', { ...was, schema }, { ...now, schema: present.schema ?? {} }).map(
        ({ path, text }) => `${path === '' ? 'The body' : `Body property '${path}'`} ${text}.`
      )
    })
  ]
}
