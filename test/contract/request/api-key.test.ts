import fastify from 'fastify'
import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { registerRoutes } from '../../../src/contract/routes.js'
import { DONE, read, serve } from '../books.js'

const SCHEMES = {
  ofQuery: { type: 'apiKey', in: 'query', name: 'key' },
  ofHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
  ofCookie: { type: 'apiKey', in: 'cookie', name: 'key' }
}

/** A document in which GET /books has the parameters and the security, and GET /shelves has no security. */
const guarded = (security: object[], parameters: object[] = [], securitySchemes: object = SCHEMES) =>
  read({
    security,
    paths: {
      '/books': { get: { operationId: 'listBooks', parameters, responses: DONE } },
      '/shelves': { get: { operationId: 'listShelves', security: [], responses: DONE } }
    },
    components: { securitySchemes }
  })
const handlers = { listBooks: () => undefined, listShelves: () => undefined }

t.test('the key that a security requirement asks for is known, in query, header and cookie', async (t) => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } }
  const document = await guarded([{ ofQuery: [] }, { ofHeader: [], ofCookie: [] }], [limit])
  const { call, received } = await serve(t, document, handlers, SCHEMES)
  for (const headers of [{}, { 'X-Key': 'a' }, { Cookie: 'key=a' }]) {
    t.equal((await call('GET', '/books?key=secret&limit=2', undefined, headers)).status, 204)
    t.same(received().query, { limit: 2 }, 'the handler gets what is declared as a parameter')
  }
  t.match(await call('GET', '/books?key=secret&page=2'), {
    status: 400,
    json: { message: "Query parameter 'page' is not known." }
  })
  t.match(
    await call('GET', '/shelves?key=secret'),
    { status: 400, json: { message: "Query parameter 'key' is not known." } },
    'an operation that asks for no key does not know it'
  )
})

t.test('a security scheme by reference is followed', async (t) => {
  const document = await guarded([{ byReference: [] }], [], {
    ...SCHEMES,
    byReference: { $ref: '#/components/securitySchemes/ofQuery' }
  })
  const { call } = await serve(t, document, handlers, { byReference: SCHEMES.ofQuery })
  t.equal((await call('GET', '/books?key=secret')).status, 204)
})

t.test('a key that is a parameter too is read as that, and one beside an open object is no part of it', async (t) => {
  const declared = await guarded([{ ofQuery: [] }], [{ name: 'key', in: 'query', schema: { type: 'integer' } }])
  const one = await serve(t, declared, handlers, SCHEMES)
  t.equal((await one.call('GET', '/books?key=1')).status, 204)
  t.same(one.received().query, { key: 1 })
  t.equal((await one.call('GET', '/books?key=x')).status, 400)

  const filter = { name: 'filter', in: 'query', schema: { type: 'object', additionalProperties: { type: 'string' } } }
  const open = await serve(t, await guarded([{ ofQuery: [] }], [filter]), handlers, SCHEMES)
  t.equal((await open.call('GET', '/books?key=secret&genre=novel')).status, 204)
  t.same(open.received().query, { filter: { genre: 'novel' } })
})

t.test('an app that takes the key from another place or name than the document says does not start', async (t) => {
  const document = await guarded([{ ofQuery: [] }])
  for (const ofQuery of [SCHEMES.ofHeader, { ...SCHEMES.ofQuery, name: 'token' }]) {
    const start = () =>
      registerRoutes(fastify(), {
        document,
        operations: operationsOf(document),
        handlers,
        securitySchemes: { ofQuery }
      })
    t.throws(
      start,
      new ContractError(
        '#/paths/~1books/get: the security scheme ofQuery must be of the type ' +
          `apiKey '${ofQuery.name}' in ${ofQuery.in}, as this app enforces it.`
      )
    )
  }
})
