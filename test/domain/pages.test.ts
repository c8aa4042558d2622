import t from 'tap'
import { ApiError } from '../../src/domain/errors.js'
import { decodeCursor, encodeCursor } from '../../src/domain/pages.js'

t.test('a cursor leads back to the position that it was made from, and is safe in an address', async (t) => {
  for (const after of [1, 2, 9, 10, 99, 1_234_567, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const cursor = encodeCursor(after)
    t.match(cursor, /^[\w-]+$/)
    t.equal(decodeCursor(cursor), after)
  }
})

t.test('a cursor that was not taken from another page is a 400 that says so', async (t) => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url')
  const wrong = [
    '',
    ' ',
    '1',
    'MQ==',
    'M Q',
    'MQ\n',
    '%4dQ',
    'garbage!',
    ...[
      '0',
      '-1',
      '01',
      '+1',
      '1.5',
      '1e3',
      '0x10',
      ' 1',
      '1 ',
      '',
      'NaN',
      'Infinity',
      '9007199254740992',
      '9007199254740993',
      '99999999999999999999'
    ].map(encoded)
  ]
  for (const cursor of wrong) {
    t.throws(
      () => decodeCursor(cursor),
      new ApiError('bad_request', "Query parameter 'cursor' must be taken from the Link header of another page."),
      JSON.stringify(cursor)
    )
  }
})
