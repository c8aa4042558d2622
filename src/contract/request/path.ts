import type { onRequestHookHandler } from 'fastify'
import type { ParameterObject } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import { escapeRegExp, groupBefore, segmentsOf, type TemplateSegment } from '../operation/path-template.js'
import { parameterReaderOf } from './parameter.js'
import { refusalOf, RequestError } from './request-error.js'

/** Reads the parameters of a path from the raw URL of a request and what the router has matched in it. */
export type PathReader = (url: string, matched: Record<string, string>) => Record<string, unknown>

/**
 * Makes the reader of the parameters of a path, whose last segments are those of the template. What the router has
 * matched is decoded, so that nothing tells a comma that parts two items from one that belongs to an item (`a%2Cb`): it
 * is used where nothing in the URL is encoded.
 */
export function pathReaderOf (schemas: Schemas, template: string, parameters: ParameterObject[]): PathReader {
  const segments = segmentsOf(template).map((segment) => ({ ...segment, pattern: patternOf(segment) }))
  const readers = new Map(
    parameters
      .filter(({ in: where }) => where === 'path')
      .map((parameter) => [parameter.name, parameterReaderOf(schemas, parameter)])
  )
  const inOrder = segments.flatMap(({ names }) => names.map((name) => ({ name, read: readers.get(name)! })))
  const isPlain = !template.includes('*') && new Set(inOrder.map(({ name }) => name)).size === inOrder.length
  return (url, matched) => (isPlain && !url.includes('%') ? readMatched(matched) : readRaw(url))

  /** The router calls parameters by their number. */
  function readMatched (matched: Record<string, string>): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (let number = 0; number < inOrder.length; number++) {
      const { name, read } = inOrder[number]!
      values[name] = read([matched[number]!])
    }
    return values
  }

  function readRaw (url: string): Record<string, unknown> {
    const raw = url.split(/[?#]/, 1)[0]!.split('/').slice(-segments.length)
    const texts = new Map<string, string>()
    for (const [index, { names, pattern }] of segments.entries()) {
      if (names.length === 0) continue
      const found = pattern.exec(normalize(raw[index]!))
      if (!found) throw new RequestError(404)
      for (const [position, name] of names.entries()) {
        const text = found[position + 1]!
        if (texts.has(name) && texts.get(name) !== text) {
          throw refusalOf('path', [name], 'stands twice in the path and must be the same')
        }
        texts.set(name, text)
      }
    }
    return Object.fromEntries([...texts].map(([name, text]) => [name, readers.get(name)!([text])]))
  }
}

/**
 * Makes the hook that answers 404 where the segment of a parameter is empty, by the router's pattern of the path:
 * nothing is no value. undefined where no parameter is a segment of its own.
 */
export function emptySegmentCheckOf (url: string): onRequestHookHandler | undefined {
  const names = [...url.matchAll(/\/:(\d+)(?=\/|$)/g)].map(([, name]) => name!)
  if (names.length === 0) return undefined
  return (request, _reply, done) => {
    const params = request.params as Record<string, string>
    done(names.some((name) => params[name] === '') ? new RequestError(404) : undefined)
  }
}

/** A regular expression for a segment, with its parameters as groups. */
function patternOf ({ literals }: TemplateSegment): RegExp {
  const texts = literals.map((literal) => normalize(literal.replace(/[^\x21-\x7E]/gu, encodeURIComponent)))
  const patterns = texts.map((text, index) => (index === 0 ? '' : groupBefore(texts, index)) + escapeRegExp(text))
  return new RegExp(`^${patterns.join('')}$`)
}

/** A text of a path in which each character that needs no percent-encoding has none (RFC 3986, section 6.2.2). */
function normalize (text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16))
    return /[\w.~!'()*-]/.test(character) ? character : escape.toUpperCase()
  })
}
