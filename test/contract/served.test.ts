import t from 'tap'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { withoutExperimental } from '../../src/contract/served.js'

const BOOKS = `# Books, with care.
openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
paths:
  /books:
    # To read.
    get:
      operationId: listBooks
      responses: { '204': { description: "Long, ${'long '.repeat(40)}line." } }
    # To write, one day.
    post:
      operationId: addBook
      x-stability: experimental
      responses: { '204': { description: Added. } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    delete:
      operationId: removeBook
      x-stability: experimental
      responses: { '204': { description: Removed. } }
  /loans: # shared
    $ref: '#/components/pathItems/Loans'
components:
  pathItems:
    Loans:
      get: { operationId: listLoans, x-stability: beta, responses: { '204': { description: Loans. } } }
      post: { operationId: addLoan, x-stability: experimental, responses: { '204': { description: Lent. } } }
`
const served = async (source: string) => {
  const document = await readDocument(source)
  const operations = operationsOf(document)
  return {
    source,
    document,
    operations,
    handlers: Object.fromEntries(operations.map(({ operationId }) => [operationId, () => operationId]))
  }
}

t.test(
  'experimental operations go, with their handlers and the paths that have no other; the rest stays',
  async (t) => {
    const left = await withoutExperimental(await served(BOOKS))
    t.same(
      left.operations.map(({ operationId, stability }) => [operationId, stability]),
      [
        ['listBooks', undefined],
        ['listLoans', 'beta']
      ]
    )
    t.same(Object.keys(left.handlers), ['listBooks', 'listLoans'])
    t.same(Object.keys(left.document.paths!), ['/books', '/loans'])
    for (const text of ['# Books, with care.', '# To read.', '# shared', `"Long, ${'long '.repeat(40)}line."`]) {
      t.ok(left.source.includes(text), text)
    }
    t.notMatch(left.source, /experimental|addBook|removeBook|addLoan|bookId/)
    t.same(await readDocument(left.source), left.document)
  }
)

t.test('a document without experimental operations stays as it is, byte for byte', async (t) => {
  const stable = await served(BOOKS.replaceAll('x-stability: experimental', 'x-stability: beta'))
  t.equal(await withoutExperimental(stable), stable)
})

t.test('a JSON document is one too', async (t) => {
  const { document, operations } = await withoutExperimental(await served(JSON.stringify(await readDocument(BOOKS))))
  t.same(
    operations.map(({ operationId }) => operationId),
    ['listBooks', 'listLoans']
  )
  t.same(Object.keys(document.paths!), ['/books', '/loans'])
})

t.test('what is left must hold together', async (t) => {
  const deprecated = BOOKS.replace(
    'operationId: listBooks',
    'operationId: listBooks\n      deprecated: true\n      x-deprecated-since: 2025-01-01\n      x-deprecated-sunset: 2030-01-01\n      x-successor: addBook'
  )
  await t.rejects(
    withoutExperimental(await served(deprecated)),
    new ContractError('#/paths/~1books/get: x-successor names addBook, which is no operationId.')
  )
})

t.test('an experimental operation that a merge key puts into a path goes too', async (t) => {
  const responses = "responses: { '204': { description: Done. } }"
  const source = `openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
x-parts:
  reading: &reading { get: { operationId: listBooks, ${responses} } }
  writing: &writing { <<: *reading, post: &post { operationId: addBook, x-stability: experimental, ${responses} } }
  other: &other { get: { operationId: nobody, ${responses} }, put: { operationId: putBooks, ${responses} } }
paths:
  /books: { <<: [*writing, *other], delete: { <<: *post, operationId: burnBooks } }
`
  const before = await served(source)
  t.same(before.operations.map(({ operationId }) => operationId), ['listBooks', 'putBooks', 'addBook', 'burnBooks'])
  const left = await withoutExperimental(before)
  t.same(left.operations.map(({ operationId }) => operationId), ['listBooks', 'putBooks'])
  t.same(await readDocument(left.source), left.document)
})
