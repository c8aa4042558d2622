import { parse } from 'lossless-json'
import { numberOf } from '../document/int64.js'
import { refusalOf, type RequestError } from './request-error.js'

/** How many arrays and objects may stand inside one another; what validates and writes them calls itself for each. */
const DEPTH_LIMIT = 100

/** Stands for a number that cannot be kept, until its place is known. */
const INEXACT = Symbol('inexact')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON (RFC 8259) without loss: integers that a number would round are bigints. Refused, because it could not be
 * kept as it was sent, is what has bytes that are not UTF-8, a byte order mark, half a surrogate pair, one key with two
 * values, `__proto__`, a fraction too small to be told from none.
 * @throws {RequestError} 400, which names the property or the character that is wrong
 */
export function parseJson (bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw refusalOf('body', [], 'is empty; it must be JSON')
  const text = decode(bytes)
  const exact = parseExact(text)
  if (exact !== undefined) return exact
  try {
    const value = parse(text, undefined, { parseNumber: (literal) => numberOf(literal) ?? INEXACT, onDuplicateKey })
    checkValue(value, [])
    return value
  } catch (error) {
    // Of several faults the syntax is told before the depth, and the depth before those of a property. A text that is
    // too deep for the stack comes here too.
    checkDepth(parsePlain(text))
    throw error
  }
}

/** What JSON.stringify may give back unchanged though it was not kept, or may not be sent. */
const DOUBTFUL = /\d{16}|e\+|\\u|__proto__/

/**
 * Gives what a text stands for where JSON.parse, which is much quicker, is seen to lose nothing: JSON.stringify gives
 * the same text back, as it came from most programs. undefined where it may lose something.
 */
function parseExact (text: string): unknown {
  if (DOUBTFUL.test(text)) return undefined
  let value
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  checkDepth(value)
  return JSON.stringify(value) === text ? value : undefined
}

function onDuplicateKey ({ key }: { key: string }): never {
  refuse([key], 'is there twice, with different values')
}

function decode (bytes: Uint8Array): string {
  let text
  try {
    text = utf8.decode(bytes)
  } catch {
    throw refusalOf('body', [], 'is not valid UTF-8')
  }
  if (text.startsWith('\uFEFF')) {
    throw refusalOf('body', [], 'begins with a byte order mark, which JSON does not have')
  }
  return text
}

function parsePlain (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const position = faultIn(text)
    const where = position === undefined ? '' : ` from character ${position + 1} on`
    throw Object.assign(refusalOf('body', [], `is not valid JSON${where}`), { cause })
  }
}

/**
 * Where a text that is not JSON ceases to be; JSON.parse does not tell it everywhere. undefined when it is nested too
 * deeply to say.
 */
function faultIn (text: string): number | undefined {
  try {
    parse(text)
  } catch (error) {
    const position = /at position (\d+)$/.exec((error as Error).message)?.[1]
    return position === undefined ? undefined : Number(position)
  }
  return undefined
}

function checkDepth (value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === DEPTH_LIMIT) throw tooDeep()
  for (const child of Object.values(value)) checkDepth(child, depth + 1)
}

function checkValue (value: unknown, path: string[]): void {
  if (value === INEXACT) refuse(path, 'has more digits than can be kept')
  if (typeof value === 'string' && !value.isWellFormed()) refuse(path, 'has half a surrogate pair')
  if (typeof value !== 'object' || value === null) return
  if (path.length === DEPTH_LIMIT) throw tooDeep()
  for (const [key, child] of Object.entries(value)) {
    path.push(key)
    if (key === '__proto__') refuse(path, 'is not allowed')
    if (!key.isWellFormed()) refuse(path, 'has half a surrogate pair in its name')
    checkValue(child, path)
    path.pop()
  }
}

function refuse (path: string[], fault: string): never {
  throw refusalOf('body', path, fault)
}

function tooDeep (): RequestError {
  return refusalOf('body', [], `has more than ${DEPTH_LIMIT} levels`)
}
