import t from 'tap'
import { BOOK, taking } from '../../books.js'

t.test('a form is read by its schema', async (t) => {
  const { call, received } = await taking(t, {
    'application/x-www-form-urlencoded': {
      schema: BOOK,
      encoding: { tags: { style: 'pipeDelimited', explode: false } }
    }
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await call('PUT', '/books', 'title=a+b%26c&pages=7&tags=x%7Cy&shelf=%7B%22row%22:1%7D&id=9007199254740993', form)
  t.same(received().body, { title: 'a b&c', pages: 7, tags: ['x', 'y'], shelf: { row: 1 }, id: 9007199254740993n })
  for (const [sent, message] of [
    ['pages=1', "'title' is required."],
    ['title=a&pages=x', "'pages' must be an integer."],
    ['title=a&title=b', "'title' must be a string."],
    ['title=a&author=b', "'author' is not known."],
    ['title=a&shelf=x', 'is not valid JSON.']
  ] as const) {
    t.match(
      await call('PUT', '/books', sent, form),
      { status: 400, json: { message: new RegExp(`${message}$`) } },
      sent
    )
  }
})

t.test('an encoding has the styles of a query', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      shelf: BOOK.properties.shelf,
      tags: BOOK.properties.tags,
      ids: { type: 'array', items: { type: 'integer' } }
    }
  }
  const { call, received } = await taking(t, {
    'application/x-www-form-urlencoded': {
      schema,
      encoding: { shelf: { style: 'deepObject', explode: true }, ids: { style: 'form', explode: false } }
    }
  })
  await call('PUT', '/books', 'shelf[row]=1&tags=a&tags=b&ids=1,2', {
    'content-type': 'application/x-www-form-urlencoded'
  })
  t.same(received().body, { shelf: { row: 1 }, tags: ['a', 'b'], ids: [1, 2] })
})
