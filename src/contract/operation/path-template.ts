import { ContractError } from '../document/contract-error.js'

const PARAMETER = /\{([^}]+)\}/

/** Gives the names of the parameters in a path template, in their order. */
export function parameterNamesIn (template: string): string[] {
  return [...template.matchAll(new RegExp(PARAMETER, 'g'))].map(([, name]) => name!)
}

/** A segment of a path template: what stands between its parameters, and the names of these. */
export interface TemplateSegment {
  /** One more than there are names: `a{b}` has `a` and an empty text. */
  literals: string[]
  names: string[]
}

/** Splits a path template at its slashes. */
export function segmentsOf (template: string): TemplateSegment[] {
  return template.split('/').map((segment) => ({
    literals: segment.split(new RegExp(PARAMETER)).filter((_, index) => index % 2 === 0),
    names: parameterNamesIn(segment)
  }))
}

/**
 * Translates a path template into the pattern that Fastify's router has for it. Parameters are called by their number,
 * as a router knows only some characters in a name: `/pets/{pet-id}.{format}` gives
 * `/pets/:0((?:(?!\\.)[\\s\\S])*).:1([\\s\\S]*)`.
 * @throws {ContractError} when the router could not serve it
 */
export function routerUrlOf (template: string, pointer: string): string {
  if (/[?#]/.test(template)) {
    throw new ContractError(`${pointer}: the path ${template} has a query or a fragment, which is not part of a path.`)
  }
  let number = 0
  const urlOfSegment = ({ literals, names }: TemplateSegment): string => {
    const texts = literals.map((literal) => routerTextOf(literal, template, pointer))
    const isWhole = literals.every((literal) => literal === '') && names.length === 1
    const urls = texts.map((text, index) => {
      const fixed = text.replaceAll(':', '::').replaceAll('*', () => `:${number++}(\\*)`)
      if (index === names.length) return fixed
      return `${fixed}:${number++}${isWhole ? '' : groupBefore(texts, index + 1)}`
    })
    return urls.join('')
  }
  return segmentsOf(template).map(urlOfSegment).join('/')
}

/** A fixed text of a path as the router compares it, which decodes an address before it looks. */
function routerTextOf (literal: string, template: string, pointer: string): string {
  let decoded
  try {
    decoded = decodeURI(literal)
  } catch {
    decoded = '%'
  }
  if (decoded.includes('%')) {
    throw new ContractError(
      `${pointer}: the path ${template} has a percent sign that stands for no character of a path, ` +
        'which is not supported.'
    )
  }
  return decoded
}

/**
 * Makes the group of a regular expression that matches the parameter before one of the literals of a segment. Every
 * parameter but the last ends where the literal after it first stands. So there is one way to match a segment, and a
 * long text that does not match is found out at once.
 */
export function groupBefore (literals: string[], index: number): string {
  return index === literals.length - 1 ? '([\\s\\S]*)' : `((?:(?!${escapeRegExp(literals[index]!)})[\\s\\S])*)`
}

/** Writes a regular expression that matches a text as it is. */
export function escapeRegExp (text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
