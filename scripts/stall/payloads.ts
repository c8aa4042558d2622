/** A text that is repeated until it has about so many bytes. */
const repeat = (text: string, size: number) => text.repeat(Math.max(1, Math.floor(size / text.length)))
/** What `part` gives for 0, 1, 2 … joined until it has about so many bytes. */
function series (part: (index: number) => string, between: string, size: number): string {
  const parts = []
  for (let length = 0, index = 0; length < size - 20; index++) {
    parts.push(part(index))
    length += parts.at(-1)!.length + between.length
  }
  return parts.join(between)
}
const nested = (open: string, inner: string, close: string, size: number) => {
  const depth = Math.floor((size - inner.length) / (open.length + close.length))
  return open.repeat(depth) + inner + close.repeat(depth)
}
const pet = (name: string, categoryId = '1', more = '') => `{"name":${name},"categoryId":${categoryId}${more}}`
const pair = 'e\u0301'

/** Bodies of POST /pets with about so many bytes that are the most work for some part of the service. */
const BODIES: Record<string, (size: number) => string> = {
  'a long name': (size) => pet(`"${repeat('x', size - 30)}"`),
  'a long name in escapes': (size) => pet(`"${repeat('\\u0041', size - 30)}"`),
  'a long name of marks and emoji': (size) => pet(`"${repeat(`${pair}👨‍👩‍👧`, size / 4)}"`),
  'a long name that the pattern refuses at its end': (size) => pet(`"${repeat('x', size - 40)}\\u0001"`),
  'half a surrogate pair behind a long name': (size) => pet(`"${repeat('x', size - 40)}\\ud800"`),
  'a number of many digits': (size) => pet('"x"', repeat('9', size - 30)),
  'a fraction of many digits': (size) => pet('"x"', `0.${repeat('9', size - 30)}`),
  'an integer with many zeros behind its point': (size) => pet('"x"', `1.${repeat('0', size - 30)}`),
  'a huge exponent': (size) => pet('"x"', `1e${repeat('9', size - 30)}`),
  'many numbers of 17 digits': (size) => pet('"x"', '1', `,"a":[${repeat('90071992547409931,', size - 60)}1]`),
  'many unknown properties': (size) => `{${series((index) => `"${index.toString(36)}":1`, ',', size)}}`,
  'many unknown properties with names like indexes': (size) =>
    `{${series((index) => `"${65_536 * index}":1`, ',', size)}}`,
  'one property many times': (size) => `{${repeat('"a":1,', size - 10)}"a":1}`,
  'one object many times': (size) =>
    `{${repeat(`"a":{${series((index) => `"${index}":1`, ',', 400)}},`, size - 500)}"a":1}`,
  'one unknown property with a long name': (size) => `{"${repeat('x', size - 10)}":1}`,
  'one unknown property with a long name of control characters': (size) => `{"${repeat('\\u0000', size - 10)}":1}`,
  'arrays in arrays': (size) => nested('[', '', ']', size),
  'objects in objects': (size) => nested('{"a":', '1', '}', size),
  'arrays that are not closed': (size) => repeat('[', size),
  'objects that are not closed': (size) => repeat('{"a":', size),
  'an array of numbers': (size) => `[${repeat('1,', size - 5)}1]`,
  'an array of objects': (size) => `[${repeat('{},', size - 5)}{}]`,
  'a string that is not closed': (size) => `{"name":"${repeat('x', size - 10)}`,
  backslashes: (size) => pet(`"${repeat('\\\\', size - 30)}"`),
  space: (size) => repeat(' ', size - 30) + pet('"x"')
}

/** Queries and headers of GET /pets. */
const QUERIES: Record<string, (size: number) => string> = {
  'many unknown parameters': (size) => series((index) => `${index.toString(36)}=1`, '&', size),
  'one unknown parameter many times': (size) => repeat('a&', size),
  'limit many times': (size) => repeat('limit=1&', size),
  'a limit of many digits': (size) => `limit=${repeat('9', size - 10)}`,
  'a long cursor': (size) => `cursor=${repeat('x', size - 10)}`,
  'percent-encoding': (size) => `cursor=${repeat('%41', size - 10)}`,
  'percent-encoded names': (size) => series(() => '%F0%9F%90%95=%F0%9F%90%95', '&', size),
  'ampersands and equals signs': (size) => repeat('&=', size)
}
const HEADERS: Record<string, (size: number) => string> = {
  'many headers': (size) => series((index) => `h${index}:1`, '\r\n', size),
  'one header many times': (size) => repeat('a:b\r\n', size).trim(),
  'a long header': (size) => `X-Long: ${repeat('x', size - 10)}`,
  'a large cookie': (size) => `Cookie: ${series((index) => `c${index}=${'v'.repeat(20)}`, '; ', size - 10)}`,
  'many hops in X-Forwarded-For': (size) => `X-Forwarded-For: ${repeat('1.2.3.4, ', size - 20)}1.2.3.4`,
  'a long Accept': (size) => `Accept: ${repeat('a/b;q=0.1, ', size - 20)}*/*`,
  'a long Origin': (size) => `Origin: ${repeat('x', size - 20)}`,
  'a long Content-Type': (size) => `Content-Type: application/json;${repeat(' a=b;', size - 40)}`,
  'spaces in Content-Type': (size) => `Content-Type: application/json${repeat(' ', size - 40)}x`,
  'a long key': (size) => `authorization: Bearer ${repeat('x', size - 30)}`,
  'spaces in Authorization': (size) => `authorization: Bearer${repeat(' ', size - 30)}x x`
}
const PATHS: Record<string, (size: number) => string> = {
  'a petId of many digits': (size) => `/pets/${repeat('9', size)}`,
  'a percent-encoded petId': (size) => `/pets/${repeat('%39', size)}`,
  'many segments': (size) => repeat('/a', size),
  'many slashes': (size) => repeat('/', size),
  'dots and slashes': (size) => repeat('/..', size)
}

/**
 * Lists the requests that are the most work for the service, each with about `size` bytes where it is large. The limit
 * of a body, and of the request line with the headers, is 16 KiB.
 */
export function payloads (key: string, size: number): [title: string, bytes: Buffer][] {
  const bytesOf = (line: string, headers: string[], body = '') => {
    const authorized = headers.some((header) => /^authorization/im.test(header))
    const all = ['Host: x', 'Connection: close', ...headers, ...(authorized ? [] : [`Authorization: Bearer ${key}`])]
    return Buffer.from(`${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`)
  }
  const get = (path: string, ...headers: string[]) => bytesOf(`GET /v1${path}`, headers)
  const postPet = (body: string, framing: string) =>
    bytesOf('POST /v1/pets', ['Content-Type: application/json', framing], body)
  const post = (body: string) => postPet(body, `Content-Length: ${Buffer.byteLength(body)}`)
  const chunked = (body: string) => {
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`)
    return postPet(`${chunks.join('')}0\r\n\r\n`, 'Transfer-Encoding: chunked')
  }
  // What stands beside the large part has up to 300 bytes.
  const inHead = size - 300
  return [
    ['an ordinary GET', get('/pets')],
    ['an ordinary POST', post(pet('"Rex"'))],
    ...Object.entries(BODIES).map(([title, body]): [string, Buffer] => [`body: ${title}`, post(body(size))]),
    ['body: chunks of one byte', chunked(BODIES['a long name']!(size))],
    ...Object.entries(QUERIES).map(([title, query]): [string, Buffer] => [
      `query: ${title}`,
      get(`/pets?${query(inHead)}`)
    ]),
    ...Object.entries(HEADERS).map(([title, header]): [string, Buffer] => [
      `header: ${title}`,
      get('/pets', header(inHead))
    ]),
    ...Object.entries(PATHS).map(([title, path]): [string, Buffer] => [`path: ${title}`, get(path(inHead))]),
    ['pipelined: ordinary GETs', pipelined(get('/pets'), size)],
    [
      'pipelined: the smallest requests',
      pipelined(Buffer.from('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'), size)
    ]
  ]
}

/** One request again and again until there are so many bytes; only the last closes the connection. */
function pipelined (request: Buffer, size: number): Buffer {
  const kept = request.toString().replace('Connection: close\r\n', '')
  return Buffer.from(kept.repeat(Math.floor(size / kept.length) - 1) + request.toString())
}
