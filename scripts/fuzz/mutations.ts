import fc from 'fast-check'
import { nextAddress, type Target } from './client.js'
import type { FuzzRequest } from './requests.js'

/** Bytes that mean something to a parser of HTTP, an address, JSON or UTF-8. */
const TOKENS = [
  '\0',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ':',
  ';',
  ',',
  '/',
  '//',
  '?',
  '#',
  '%',
  '%00',
  '%zz',
  '%ff',
  '..',
  '*',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '-',
  '+',
  '0',
  '9'.repeat(30),
  'e400',
  '\x7f',
  '\xff',
  '\xc0\xaf',
  '\xed\xa0\x80',
  '\xef\xbb\xbf',
  'x'.repeat(20_000),
  '__proto__',
  'HTTP/1.1',
  'HTTP/2.0',
  'GET ',
  'HEAD ',
  'CONNECT ',
  'Host: y\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n',
  'Content-Encoding: gzip\r\n',
  'Expect: 100-continue\r\n',
  'Connection: close\r\n',
  'Upgrade: websocket\r\n',
  '0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
].map((token) => Buffer.from(token, 'latin1'))

type Mutation = (bytes: Buffer) => Buffer

/** A place in bytes, in thousandths of their length; any as likely as another. */
const place = () => fc.noBias(fc.nat(999))
const at = (bytes: Buffer, part: number) => Math.floor((part * bytes.length) / 1000)

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place(), fc.nat(7)).map(([part, bit]): Mutation => (bytes) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[at(bytes, part)]! ^= 1 << bit
    return copy
  }),
  fc.tuple(place(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([part, inserted]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, part)), inserted, bytes.subarray(at(bytes, part))])
  ),
  fc.tuple(place(), fc.constantFrom(...TOKENS)).map(
    ([part, token]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, part)), token, bytes.subarray(at(bytes, part))])
  ),
  fc.tuple(place(), fc.constantFrom(...TOKENS)).map(
    ([part, token]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, part)), token, bytes.subarray(at(bytes, part) + token.length)])
  ),
  fc.tuple(place(), fc.nat(40)).map(
    ([part, length]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, part)), bytes.subarray(at(bytes, part) + length)])
  ),
  fc.tuple(place(), fc.nat(80)).map(
    ([part, length]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, part) + length), bytes.subarray(at(bytes, part))])
  ),
  place().map(
    (part): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, part))
  ),
  fc.tuple(place(), place()).map(
    ([one, other]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(bytes, one)), bytes.subarray(at(bytes, other))])
  )
)

/**
 * The bytes of valid requests with one to four changes: bits, bytes, parts inserted, replaced, removed, doubled, cut
 * off.
 */
export function mutatedBytes (valid: fc.Arbitrary<FuzzRequest>, target: Target): fc.Arbitrary<Buffer> {
  return fc
    .tuple(valid, fc.array(mutations, { minLength: 1, maxLength: 4 }))
    .map(([request, changes]) => changes.reduce((bytes, change) => change(bytes), bytesOf(request, target)))
}

/** A request as bytes. Its address is its own: changes make many callers that have no key. */
function bytesOf ({ method, path, headers, body }: FuzzRequest, { basePath, key }: Target): Buffer {
  const lines = Object.entries({
    Host: 'x',
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': nextAddress(),
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) })
  })
  return Buffer.from(
    `${method} ${basePath}${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`
  )
}
