import { Readable } from 'node:stream'
import t from 'tap'
import { Answer } from '../../../src/contract/response/answer.js'
import { read, serve } from '../books.js'

/** Serves GET /books, which answers what `answer` gives. */
async function answering (t: Parameters<typeof serve>[0], responses: object, answer: () => unknown) {
  const document = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', ...(Object.keys(responses).length > 0 ? { responses } : {}) } }
    }
  })
  const { call } = await serve(t, document, { getBooks: answer })
  const { status, text, headers } = await call('GET', '/books')
  return { status, text, type: headers.get('content-type') }
}

t.test('an answer has the status and the media type that its handler names, or the only one', async (t) => {
  const json = { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } }
  const response = (content: object = {}) => ({ description: 'Done.', content })
  const JSON_TYPE = 'application/json; charset=utf-8'
  const right: [title: string, responses: object, answer: () => unknown, wanted: object][] = [
    [
      'the only 2xx',
      { 201: response(json), 400: response() },
      () => ({ a: 1, b: 2 }),
      { status: 201, text: '{"a":1}', type: JSON_TYPE }
    ],
    [
      'one of several',
      { 200: response(json), 202: response() },
      () => new Answer(undefined, {}, 202),
      { status: 202, text: '', type: null }
    ],
    ['a redirect', { 302: response() }, () => new Answer(undefined, {}, 302), { status: 302, text: '', type: null }],
    ['a range', { '2XX': response(json) }, () => ({ a: 1 }), { status: 200, text: '{"a":1}', type: JSON_TYPE }],
    [
      'another of a range',
      { '2XX': response(json) },
      () => new Answer({ a: 1 }, {}, 206),
      { status: 206, text: '{"a":1}', type: JSON_TYPE }
    ],
    ['default', { default: response(json) }, () => ({ a: 1 }), { status: 200, text: '{"a":1}', type: JSON_TYPE }],
    [
      'an error',
      { 200: response(json), 404: response({ 'application/problem+json': {} }) },
      () => new Answer({ type: 'x' }, {}, 404),
      { status: 404, text: '{"type":"x"}', type: 'application/problem+json; charset=utf-8' }
    ],
    ['no responses', {}, () => undefined, { status: 200, text: '', type: null }],
    [
      'JSON before others',
      { 200: response({ 'text/csv': {}, ...json }) },
      () => ({ a: 1 }),
      { status: 200, text: '{"a":1}', type: JSON_TYPE }
    ],
    [
      'a named type',
      { 200: response({ ...json, 'text/csv': {} }) },
      () => new Answer('a,b', {}, 200, 'text/csv'),
      { status: 200, text: 'a,b', type: 'text/csv; charset=utf-8' }
    ],
    [
      'of a range',
      { 200: response({ 'image/*': {} }) },
      () => new Answer(Buffer.from('PNG'), {}, undefined, 'image/png'),
      { status: 200, text: 'PNG', type: 'image/png' }
    ],
    [
      'a stream',
      { 200: response({ 'text/event-stream': {} }) },
      () => Readable.from(['data: 1\n\n', 'data: 2\n\n']),
      { status: 200, text: 'data: 1\n\ndata: 2\n\n', type: 'text/event-stream; charset=utf-8' }
    ],
    ['any, a value', { 200: response({ '*/*': {} }) }, () => [1], { status: 200, text: '[1]', type: JSON_TYPE }],
    [
      'any, bytes',
      { 200: response({ '*/*': {} }) },
      () => Buffer.from('x'),
      { status: 200, text: 'x', type: 'application/octet-stream' }
    ]
  ]
  for (const [title, responses, answer, wanted] of right) t.same(await answering(t, responses, answer), wanted, title)

  const wrong: [title: string, responses: object, answer: () => unknown][] = [
    ['no status of several', { 200: response(json), 202: response() }, () => ({ a: 1 })],
    ['an undeclared status', { 200: response(json) }, () => new Answer({ a: 1 }, {}, 201)],
    ['an undeclared type', { 200: response(json) }, () => new Answer('a', {}, 200, 'text/csv')],
    ['a value that is no text', { 200: response({ 'text/csv': {} }) }, () => ({ a: 1 })],
    ['a body where none is declared', { 200: { description: 'Done.' } }, () => ({ a: 1 })],
    ['no type of a range', { 200: response({ 'image/*': {} }) }, () => Buffer.from('x')]
  ]
  for (const [title, responses, answer] of wrong) t.equal((await answering(t, responses, answer)).status, 500, title)
})
