import type { ParameterObject } from '../document/document.js'
import { ContractError } from '../document/contract-error.js'
import { valueReaderOf } from './parameter.js'
import { RequestError } from './request-error.js'

const PARAMETER = /\{([^}]+)\}/

/** The names in a path template, in their order. */
export function namesIn (path: string): string[] {
  return [...path.matchAll(new RegExp(PARAMETER, 'g'))].map(([, name]) => name!)
}

/**
 * A path template as Fastify's router writes it. Parameters are called by their number, as a router knows only some
 * characters in a name: `/pets/{pet-id}.{format}` gives `/pets/:0((?:(?!\\.)[\\s\\S])*).:1([\\s\\S]*)`.
 * @throws {ContractError} when the router could not serve it
 */
export function urlOf (path: string, pointer: string): string {
  if (/[?#]/.test(path)) {
    throw new ContractError(`${pointer}: the path ${path} has a query or a fragment, which is not part of a path.`)
  }
  let count = 0
  return path
    .split('/')
    .map((segment) => {
      const whole = segment.replace(PARAMETER, '') === ''
      return segment
        .split(new RegExp(PARAMETER))
        .map((part, index, parts) => {
          if (index % 2 === 1) {
            return `:${count++}${whole ? '' : groupBefore(literalOf(parts[index + 1]!, path, pointer), index + 2 === parts.length)}`
          }
          return literalOf(part, path, pointer)
            .replaceAll(':', '::')
            .replaceAll('*', () => `:${count++}(\\*)`)
        })
        .join('')
    })
    .join('/')
}

/** What a fixed part of a path is to the router, which decodes an address before it looks. */
function literalOf (text: string, path: string, pointer: string): string {
  let decoded
  try {
    decoded = decodeURI(text)
  } catch {
    decoded = '%'
  }
  if (decoded.includes('%')) {
    throw new ContractError(
      `${pointer}: the path ${path} has a percent sign that stands for no character of a path, which is not supported.`
    )
  }
  return decoded
}

/** Reads the parameters of a path from the raw address of a request, whose last segments are those of the template. */
export function pathReaderOf (
  document: object,
  path: string,
  parameters: ParameterObject[]
): (url: string) => Record<string, unknown> {
  const segments = path.split('/')
  const patterns = segments.map((segment) => ({ names: namesIn(segment), pattern: patternOf(segment) }))
  const readers = new Map(
    parameters
      .filter(({ in: where }) => where === 'path')
      .map((parameter) => [parameter.name, valueReaderOf(document, parameter)])
  )
  return (url) => {
    const raw = url.split(/[?#]/, 1)[0]!.split('/').slice(-segments.length)
    const texts = new Map<string, string>()
    for (const [index, { names, pattern }] of patterns.entries()) {
      if (names.length === 0) continue
      const found = pattern.exec(canonical(raw[index]!))
      if (!found) throw new RequestError(404)
      for (const [position, name] of names.entries()) {
        const text = found[position + 1]!
        if (texts.has(name) && texts.get(name) !== text) {
          throw new RequestError(400, `Path parameter '${name}' stands twice in the path and must be the same.`)
        }
        texts.set(name, text)
      }
    }
    return Object.fromEntries([...texts].map(([name, text]) => [name, readers.get(name)!([text])]))
  }
}

/** A segment with its parameters as groups. */
function patternOf (segment: string): RegExp {
  const parts = segment
    .split(new RegExp(PARAMETER))
    .map((part, index) => (index % 2 === 1 ? part : canonical(part.replace(/[^\x21-\x7E]/gu, encodeURIComponent))))
  return new RegExp(
    `^${parts.map((part, index) => (index % 2 === 1 ? groupBefore(parts[index + 1]!, index + 2 === parts.length) : escaped(part))).join('')}$`
  )
}

/**
 * The group of a parameter before a fixed text. All but the last end where that text first stands: so there is one way
 * to read a segment, and none that takes long to find that there is none.
 */
function groupBefore (text: string, last: boolean): string {
  return last ? '([\\s\\S]*)' : `((?:(?!${escaped(text)})[\\s\\S])*)`
}

function escaped (text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A text of a path in which each character that needs no percent-encoding has none, as the router reads it. */
function canonical (text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16))
    return /[\w.~!'()*-]/.test(character) ? character : escape.toUpperCase()
  })
}
