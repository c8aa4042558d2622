import t from 'tap'
import { withOperationIds } from '../../../src/contract/operation/operation-id.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { read } from '../books.js'

t.test('a document from elsewhere gets what it lacks, and loses what would mean something else here', async (t) => {
  const responses = { 204: { description: 'Done.' } }
  const parameters = ['book-id', 'n'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const document = await read({
    paths: {
      '/books': {
        get: { responses },
        post: { operationId: 'getBooks2', responses, deprecated: true, 'x-stability': 'stable' }
      },
      '/books/': { get: { responses, 'x-deprecated-sunset': 'soon' } },
      '/books/{book-id}/pages.{n}': { parameters, get: { responses }, delete: { responses } }
    }
  })
  const before = structuredClone(document)
  const operations = operationsOf(withOperationIds(document))
  t.same(
    operations.map(({ operationId }) => operationId),
    ['getBooks', 'getBooks2', 'getBooks3', 'getBooksByBookIdPagesByN', 'deleteBooksByBookIdPagesByN']
  )
  for (const { deprecation, stability } of operations) t.same([deprecation, stability], [undefined, undefined])
  t.same(document, before, 'the document itself is not changed')
})
