import type { ResponseObject } from '../../src/contract/document/openapi.js'
import { resolve } from '../../src/contract/document/reference.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { MEDIA_TYPE, responseFor } from '../../src/contract/operation/operation.js'
import { changesOf, within } from './schema.js'
import type { Version } from './version.js'

interface Answer extends Version {
  response: ResponseObject
}
interface Header {
  required?: boolean
  schema?: Schema
}

const list = new Intl.ListFormat('en-GB')

/**
 * Lists what breaks those who read the answers of an operation, a sentence for each change. A status that comes or goes
 * breaks nobody, except that of success.
 */
export function answerChanges (was: Version, now: Version): string[] {
  const changes = new Map<string, { subject: string; text: string; statuses: string[] }>()
  for (const [status, response] of now.operation.responses) {
    const isSuccess = Number(status) === now.operation.success
    const before = responseFor(was.operation, isSuccess ? String(was.operation.success) : status)
    if (!before) continue
    for (const [subject, text] of changesOfOne({ ...was, response: before }, { ...now, response })) {
      const { statuses } = changes.get(subject + text) ?? { statuses: [] }
      changes.set(subject + text, { subject, text, statuses: [...statuses, status] })
    }
  }
  const [before, after] = [was.operation.success, now.operation.success]
  return [
    ...(before !== after ? [`Success is now answered with ${after}, no longer with ${before}.`] : []),
    ...[...changes.values()].map(
      ({ subject, text, statuses }) =>
        `${subject} of the ${list.format(statuses)} ${statuses.length > 1 ? 'answers' : 'answer'} ${text}.`
    )
  ]
}

function changesOfOne (was: Answer, now: Answer): [subject: string, text: string][] {
  return [...headerChanges(was, now), ...bodyChanges(was, now)]
}

function headerChanges (was: Answer, now: Answer): [subject: string, text: string][] {
  const [before, after] = [headersOf(was), headersOf(now)]
  return [...before].flatMap(([name, header]): [string, string][] => {
    const subject = `Header '${name}'`
    const same = [...after].find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1]
    if (!same) return [[subject, 'is removed']]
    const [given, wanted] = [header, same].map(({ schema = {} }) => schema)
    const changes = changesOf('answer', { ...was, schema: given! }, { ...now, schema: wanted! })
    if (header.required && !same.required) changes.unshift({ path: '', text: 'may now be missing' })
    return changes.map(({ path, text }) => [`Header '${within(name, path)}'`, text])
  })
}

function headersOf ({ document, response }: Answer): Map<string, Header> {
  return new Map(
    Object.entries(response.headers ?? {}).map(([name, header]) => [
      name,
      resolve(document, { value: header, pointer: '#' }).value
    ])
  )
}

function bodyChanges (was: Answer, now: Answer): [subject: string, text: string][] {
  const [before, after] = [was, now].map(({ response }) => response.content?.[MEDIA_TYPE])
  if (!before) return []
  if (!after) return [['The body', 'is removed']]
  return changesOf('answer', { ...was, schema: before.schema ?? {} }, { ...now, schema: after.schema ?? {} }).map(
    ({ path, text }) => [path === '' ? 'The body' : `Property '${path}'`, text]
  )
}
