import fc from 'fast-check'
import { nextAddress, type Target } from './client.js'
import type { FuzzRequest } from './requests.js'

/** Bytes that mean something to a parser of HTTP, an address, JSON or UTF-8. */
const TOKENS = [
  '\0', ' ', '\t', '\r', '\n', '\r\n', '\r\n\r\n', ':', ';', ',', '/', '//', '?', '#', '%', '%00', '%zz', '%ff',
  '..', '*', '{', '}', '[', ']', '"', '\\', '\\u0000', '\\ud800', '-', '+', '0', '9'.repeat(30), 'e400', '\x7f',
  '\xff', '\xc0\xaf', '\xed\xa0\x80', '\xef\xbb\xbf', 'x'.repeat(20_000), '__proto__', 'HTTP/1.1', 'HTTP/2.0',
  'GET ', 'HEAD ', 'CONNECT ', 'Host: y\r\n', 'Content-Length: 0\r\n', 'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip\r\n', 'Content-Encoding: gzip\r\n',
  'Expect: 100-continue\r\n', 'Connection: close\r\n', 'Upgrade: websocket\r\n', '0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
].map((token) => Buffer.from(token, 'latin1'))

type Mutation = (bytes: Buffer) => Buffer

/** A place in bytes, in thousandths of their length; any as likely as another. */
const place = () => fc.noBias(fc.nat(999))
const at = (bytes: Buffer, part: number) => Math.floor((part * bytes.length) / 1000)
const token = () => fc.constantFrom(...TOKENS)

/** The bytes before `from`, what is inserted, and the bytes from `to` on. */
const splice = (bytes: Buffer, from: number, to: number, inserted: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(to)])

const flipBit = (part: number, bit: number): Mutation => (bytes) => {
  const copy = Buffer.from(bytes)
  if (copy.length > 0) copy[at(bytes, part)]! ^= 1 << bit
  return copy
}
const insert = (part: number, inserted: Uint8Array): Mutation => (bytes) =>
  splice(bytes, at(bytes, part), at(bytes, part), inserted)
const overwrite = (part: number, written: Uint8Array): Mutation => (bytes) =>
  splice(bytes, at(bytes, part), at(bytes, part) + written.length, written)
const remove = (part: number, length: number): Mutation => (bytes) =>
  splice(bytes, at(bytes, part), at(bytes, part) + length)
const double = (part: number, length: number): Mutation => (bytes) =>
  splice(bytes, at(bytes, part) + length, at(bytes, part))
const cutOff = (part: number): Mutation => (bytes) => bytes.subarray(0, at(bytes, part))
const join = (one: number, other: number): Mutation => (bytes) => splice(bytes, at(bytes, one), at(bytes, other))

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place(), fc.nat(7)).map((args) => flipBit(...args)),
  fc.tuple(place(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map((args) => insert(...args)),
  fc.tuple(place(), token()).map((args) => insert(...args)),
  fc.tuple(place(), token()).map((args) => overwrite(...args)),
  fc.tuple(place(), fc.nat(40)).map((args) => remove(...args)),
  fc.tuple(place(), fc.nat(80)).map((args) => double(...args)),
  place().map(cutOff),
  fc.tuple(place(), place()).map((args) => join(...args))
)

/**
 * Generates the bytes of valid requests with one to four changes: bits flipped, and parts inserted, replaced, removed,
 * doubled or cut off.
 */
export function mutatedBytes (valid: fc.Arbitrary<FuzzRequest>, target: Target): fc.Arbitrary<Buffer> {
  return fc
    .tuple(valid, fc.array(mutations, { minLength: 1, maxLength: 4 }))
    .map(([request, changes]) => changes.reduce((bytes, change) => change(bytes), bytesOf(request, target)))
}

/** A request as bytes, from an address of its own, as changes make many callers that have no key. */
function bytesOf ({ method, path, headers, body }: FuzzRequest, { basePath, key }: Target): Buffer {
  const lines = Object.entries({
    Host: 'x',
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': nextAddress(),
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) })
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${basePath}${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`)
}
