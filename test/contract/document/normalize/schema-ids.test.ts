import t from 'tap'
import { ContractError } from '../../../../src/contract/document/contract-error.js'
import { answering, read } from '../../books.js'

t.test('an $id, an $anchor and a $dynamicRef are led through to JSON pointers', async (t) => {
  const { components } = await read(
    answering(
      { $ref: 'https://books.example/book#part' },
      {
        Book: {
          $id: 'https://books.example/book',
          $anchor: 'book',
          properties: { title: { $ref: '#/$defs/title' }, next: { $ref: '#book' }, shelf: { $ref: '/shelf' } },
          $defs: { title: { type: 'string' }, part: { $anchor: 'part', type: 'integer' } }
        },
        Shelf: {
          $id: 'https://books.example/shelf',
          $dynamicAnchor: 'node',
          type: 'array',
          items: { $dynamicRef: '#node' }
        },
        Odd: {
          type: 'object',
          properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
          example: { $ref: 'x', $id: 'y' }
        }
      }
    )
  )
  t.same(components?.schemas, {
    Book: {
      properties: {
        title: { $ref: '#/components/schemas/Book/$defs/title' },
        next: { $ref: '#/components/schemas/Book' },
        shelf: { $ref: '#/components/schemas/Shelf' }
      },
      $defs: { title: { type: 'string' }, part: { type: 'integer' } }
    },
    Shelf: { type: 'array', items: { $ref: '#/components/schemas/Shelf' } },
    Odd: {
      type: 'object',
      properties: { $id: { type: 'string' }, $ref: { type: 'string' } },
      example: { $ref: 'x', $id: 'y' }
    }
  })
  await t.rejects(
    read(
      answering({}, { A: { $dynamicAnchor: 'node' }, B: { $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } } })
    ),
    new ContractError(
      '#/components/schemas/B/items: the $dynamicRef #node may lead to #/components/schemas/A or #/components/schemas/B, which is not supported.'
    )
  )
})

t.test('a reference within a schema that has an $id leads into that schema', async (t) => {
  const wanted = '#/components/schemas/Book/$defs/title'
  for (const Book of [
    { $id: 'book', properties: { title: { $ref: '#/$defs/title' } } },
    { $id: 'https://books.example/', $ref: '#/$defs/title' },
    { $id: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed', $ref: '#/$defs/alias' },
    { $id: 'https://books.example/a/', allOf: [{ $id: 'b', $ref: '../a/#/$defs/title' }] },
    { $id: 'book', items: { $ref: '#/$defs/alias' }, enum: [{ $ref: '#/$defs/title' }] },
    { $id: 'book', $ref: '#/%24defs/t%69tle' }
  ]) {
    const $defs = { title: { type: 'string' }, alias: { $ref: '#/$defs/title', $defs: { other: true } } }
    const { components } = await read(answering({ $ref: '#/components/schemas/Book' }, { Book: { ...Book, $defs } }))
    t.match(components!.schemas!.Book!.$defs, { alias: { $ref: wanted } }, JSON.stringify(Book))
  }
})
