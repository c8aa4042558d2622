import type { Document, SecurityRequirement } from '../../src/contract/document/openapi.js'
import type { Operation } from '../../src/contract/operation/operation.js'
import { resolve } from '../../src/contract/document/reference.js'
import { changesOfAnswers } from './answers.js'
import { changesOf } from './schema.js'

/** An operation and the document that its references are of. */
export interface Version {
  document: Document
  operation: Operation
}

const NOUNS = { query: 'Query parameter', path: 'Path parameter', header: 'Header', cookie: 'Cookie' }
const STABILITIES = ['experimental', 'beta', 'stable']

/** What breaks callers of an operation that has become another, a sentence each. */
export function changesOfOperation (was: Version, now: Version, today: Date): string[] {
  return [
    ...changesOfIdentity(was.operation, now.operation, today),
    ...changesOfSecurity(was, now),
    ...changesOfParameters(was, now),
    ...changesOfBody(was, now),
    ...changesOfAnswers(was, now)
  ]
}

/** `GET /pets` */
export function nameOf ({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

function changesOfIdentity (was: Operation, now: Operation, today: Date): string[] {
  const day = (date: Date) => date.toISOString().slice(0, 10)
  const [before, after] = [was.stability ?? 'stable', now.stability ?? 'stable']
  const [sunset, sooner] = [was.deprecation?.sunset, now.deprecation?.sunset]
  return [
    ...(nameOf(was) !== nameOf(now) ? [`${nameOf(was)} is now ${nameOf(now)}.`] : []),
    ...(was.operationId !== now.operationId ? [`The operationId of ${nameOf(was)} is now ${now.operationId}.`] : []),
    ...(STABILITIES.indexOf(after) < STABILITIES.indexOf(before)
      ? [`The operation is now ${after}, no longer ${before}.`]
      : []),
    ...(sunset && sooner && sooner < sunset ? [`The sunset is now ${day(sooner)}, no longer ${day(sunset)}.`] : []),
    ...(!sunset && sooner && sooner <= today
      ? [`The operation is deprecated with a sunset that has passed, ${day(sooner)}.`]
      : [])
  ]
}

/** Whoever meets one of the old requirements must meet one of the new. */
function changesOfSecurity (was: Version, now: Version): string[] {
  const [before, after] = [alternativesOf(was), alternativesOf(now)]
  const spell = (needs: string[]) => needs.join(' and ') || 'no credentials'
  return before
    .filter((needs) => !after.some((fewer) => fewer.every((need) => needs.includes(need))))
    .map((needs) => `A call with ${spell(needs)} is now refused; it needs ${after.map(spell).join(', or ')}.`)
}

/** What each alternative asks for. A scheme is called by what it is: its name in the document is seen by no caller. */
function alternativesOf ({ document, operation: { security } }: Version): string[][] {
  const schemeOf = (name: string) => {
    const { value = { type: 'unknown' } } = resolve(document, {
      value: document.components?.securitySchemes?.[name],
      pointer: '#'
    })
    const {
      type,
      scheme = name,
      in: where,
      name: parameter
    } = value as { type: string; scheme?: string; in?: string; name?: string }
    return type === 'apiKey' ? `the API key '${parameter}' (${where})` : `${type} ${scheme.toLowerCase()}`
  }
  const needsOf = (requirement: SecurityRequirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) => [
      schemeOf(name),
      ...scopes.map((scope) => `the scope ${scope}`)
    ])
  return security.length > 0 ? security.map(needsOf) : [[]]
}

function changesOfParameters (was: Version, now: Version): string[] {
  const keyOf = ({ in: where, name }: Operation['parameters'][number]) =>
    `${where} ${where === 'header' ? name.toLowerCase() : name}`
  const [before, after] = [was, now].map(
    ({ operation }) => new Map(operation.parameters.map((parameter) => [keyOf(parameter), parameter]))
  )
  return [...new Map([...before!, ...after!])].flatMap(([key, { in: where, name }]) => {
    const [old, present] = [before!.get(key), after!.get(key)]
    const subject = `${NOUNS[where]} '${name}`
    // The names in a path are told by the path.
    if (where === 'path' && !(old && present)) return []
    if (!present) return [`${subject}' is removed.`]
    return [
      ...(present.required && !old?.required ? [`${subject}' is now required.`] : []),
      ...(old
        ? changesOf('request', { ...was, schema: old.schema ?? {} }, { ...now, schema: present.schema ?? {} }).map(
          ({ path, text }) => `${subject}${path}' ${text}.`
        )
        : [])
    ]
  })
}

function changesOfBody (was: Version, now: Version): string[] {
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
