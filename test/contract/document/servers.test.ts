import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { basePathOf } from '../../../src/contract/document/servers.js'
import { read, serve } from '../books.js'

t.test('the base path is the path of the first server', async (t) => {
  const base: [servers: object[] | undefined, path: string | RegExp][] = [
    [undefined, ''],
    [[], ''],
    [[{ url: '/' }], ''],
    [[{ url: '/v1' }], '/v1'],
    [[{ url: '/v1/' }], '/v1'],
    [[{ url: 'https://books.example/api/v1' }], '/api/v1'],
    [[{ url: 'https://books.example/v1' }, { url: 'https://staging.books.example:8443/v1/' }, { url: '/v1' }], '/v1'],
    [
      [
        {
          url: 'https://{host}/{stage}',
          variables: { host: { default: 'books.example' }, stage: { default: 'v2', enum: ['v2', 'v3'] } }
        }
      ],
      '/v2'
    ],
    [[{ url: '{root}/v1', variables: { root: { default: 'https://books.example' } } }], '/v1']
  ]
  for (const [servers, path] of base) {
    t.equal(basePathOf(await read(servers ? { servers } : {})), path, JSON.stringify(servers))
  }

  t.equal(basePathOf(await read({ servers: [{ url: '/v1' }, { url: '/v2' }] })), '/v1', 'other servers are others')
  for (const url of ['https://', '/%zz']) {
    const broken = await read({ servers: [{ url }] })
    t.throws(() => basePathOf(broken), new ContractError(`#/servers/0: '${url}' is not a URL.`))
  }
})

t.test('where paths or operations have servers of their own, the base path is what all have in common', async (t) => {
  const operation = (operationId: string, more: object = {}) => ({
    operationId,
    responses: { 204: { description: 'Done.' } },
    ...more
  })
  const document = await read({
    servers: [{ url: 'https://books.example/api/v1' }],
    paths: {
      '/books': {
        get: operation('list'),
        put: operation('upload', { servers: [{ url: 'https://upload.books.example/api/upload/v1' }] })
      },
      '/shelves': { servers: [{ url: '/api/v2' }], get: operation('shelves') }
    }
  })
  t.equal(basePathOf(document), '/api')
  const { call } = await serve(t, document, {
    list: () => undefined,
    upload: () => undefined,
    shelves: () => undefined
  })
  // The harness serves at the root what an app would serve under the base path.
  for (const [method, path, status] of [
    ['GET', '/v1/books', 204],
    ['PUT', '/upload/v1/books', 204],
    ['GET', '/v2/shelves', 204],
    ['PUT', '/v1/books', 405],
    ['GET', '/v1/shelves', 404]
  ] as const) {
    t.equal((await call(method, path)).status, status, `${method} ${path}`)
  }
})
