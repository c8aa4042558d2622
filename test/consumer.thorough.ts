import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { createPetstore, deprecationOf, nextCursor } from 'petstore/types/client'
import t, { type Test } from 'tap'
import { nodeCommand } from '../scripts/cluster/program.js'
import { operationsOf } from '../src/contract/operation/operation.js'
import { ERROR_CODES, statusOf, type ErrorCode } from '../src/domain/errors.js'
import { SCOPE_NAMES } from '../src/domain/scopes.js'
import { startAnswering } from './support/answering.js'
import { document, startService, type Service } from './support/service.js'
import { packTypes } from './support/tarball.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const PROJECTS = ['esm', 'cjs', 'bundler']

interface Outcome {
  status: number
  body?: any
  code?: ErrorCode
  wait?: string | null
}
type Store = Record<string, (argument?: object) => Promise<Outcome>>
interface Options {
  baseUrl: string
  key?: string
  spoil?: (request: Request) => Request
}
/** What stands in the compiled consumer, as Node's module systems give it. */
interface Consumer {
  client: {
    petstore: (options: Options) => Store
    createPetstore: typeof createPetstore
    deprecationOf: typeof deprecationOf
    nextCursor: typeof nextCursor
    errorCodeValues: readonly string[]
  }
  document: { version: string }
  readme: {
    addAndCount: (baseUrl: string, key: string) => Promise<unknown>
    namesForSale: (client: unknown) => Promise<string[]>
    add: (client: unknown, body: object) => Promise<unknown>
  }
}

/** The TypeScript lines of a document, as a person would copy them. */
function linesOf (file: string): string {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]+?)```/g)]
    .map(([, code]) => code)
    .join('\n')
}

/**
 * The consumer as three projects, each with the lines of both documents, and the packed package installed beside
 * openapi-fetch.
 */
async function install (t: Test): Promise<string> {
  const { folder, tarball } = await packTypes(t)
  t.match(linesOf('docs/api.md'), "from 'petstore-api-types'")
  t.match(readFileSync(join(root, 'docs/api.md'), 'utf8'), `npm install ./${basename(tarball)} openapi-fetch`)
  const projects = ['client.ts', 'claims.ts', 'tsconfig.json', ...PROJECTS]
  for (const name of projects) cpSync(join(root, 'test/consumer', name), join(folder, name), { recursive: true })
  for (const project of PROJECTS) {
    for (const file of ['client.ts', 'claims.ts']) cpSync(join(folder, file), join(folder, project, file))
    writeFileSync(join(folder, project, 'readme.ts'), linesOf('docs/api.md'))
    writeFileSync(join(folder, project, 'manual.ts'), linesOf('generated/README.md'))
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  // Copied from node_modules, so that it needs no network.
  const others = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join(root, 'node_modules', name))
  await run(
    'npm',
    ['install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', tarball, ...others],
    { cwd: folder }
  )
  return folder
}

/** What the compiler says about the projects. */
async function compile (folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return await run(...nodeCommand([tsc, '-b', ...PROJECTS]), { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout
  )
}

/** Arguments with which an operation succeeds. */
const GOOD: Record<string, object | undefined> = {
  createPet: { name: 'Rex', categoryId: 7 },
  getPet: { petId: 1 },
  createCategory: { name: 'Dogs' },
  placeOrder: { petId: 1 },
  cancelOrder: { orderId: 1 },
  updateInventory: { petId: 1, quantity: 100 }
}

/** Other arguments with which it does. */
const OTHER: Record<string, object | undefined> = {
  createPet: { name: 'Ada', categoryId: 9 },
  createCategory: { name: 'Cats' },
  placeOrder: { petId: 1, quantity: 2 }
}

type Open = (options?: Omit<Options, 'baseUrl'>) => Store
type Provoke = (open: Open, operationId: string, service: Service) => Promise<Outcome>

/** How a client comes to each declared status: `operationId status`, or the status where it is the same for all. */
const PROVOKED: Record<string, Provoke> = {
  'createPet 400': (open) => open().createPet!({ name: '', categoryId: 7 }),
  'getPet 200': async (open) => await open().getPet!({ petId: (await open().createPet!(GOOD.createPet)).body.id }),
  'getPet 400': (open) => open().getPet!({ petId: 1.5 }),
  'getPet 404': (open) => open().getPet!({ petId: 404 }),
  'createCategory 400': (open) => open().createCategory!({ name: '' }),
  'placeOrder 201': (open) => ordered(open),
  'placeOrder 400': (open) => open().placeOrder!({ petId: 1, quantity: 0 }),
  'placeOrder 404': (open) => open().placeOrder!({ petId: 404 }),
  'placeOrder 409': (open) => open().placeOrder!({ petId: 1, quantity: 1_000 }),
  'cancelOrder 204': async (open) => await open().cancelOrder!({ orderId: (await ordered(open)).body.id }),
  'cancelOrder 400': (open) => open().cancelOrder!({ orderId: 1.5 }),
  'cancelOrder 404': (open) => open().cancelOrder!({ orderId: 404 }),
  'cancelOrder 409': async (open, _operationId, { repositories: { orders } }) => {
    const { id } = (await ordered(open)).body
    await orders.complete(id)
    return await open().cancelOrder!({ orderId: id })
  },
  'updateInventory 400': (open) => open().updateInventory!({ petId: 1, quantity: -1 }),
  'updateInventory 404': (open) => open().updateInventory!({ petId: 404, quantity: 1 }),
  400: (open, operationId) => open()[operationId]!({ limit: 101 }),
  413: (open, operationId) =>
    open({ spoil: (request) => withBody(request, ' '.repeat(16_385)) })[operationId]!(GOOD[operationId]),
  415: (open, operationId) =>
    open({ spoil: (request) => withBody(request, '{}', 'text/plain') })[operationId]!(GOOD[operationId]),
  409: (open, operationId) =>
    Promise.race(
      [1, 2].map(() =>
        open({ spoil: (request) => withHeader(request, 'Idempotency-Key', `${operationId}-409`) })[operationId]!(
          GOOD[operationId]
        )
      )
    ),
  422: async (open, operationId) => {
    const keyed = open({ spoil: (request) => withHeader(request, 'Idempotency-Key', `${operationId}-422`) })
    await keyed[operationId]!(GOOD[operationId])
    return await keyed[operationId]!(OTHER[operationId])
  },
  304: (open, operationId) =>
    open({ spoil: (request) => withHeader(request, 'If-None-Match', '*') })[operationId]!(GOOD[operationId]),
  401: (open, operationId) => open({ key: 'pet_live_not_a_key' })[operationId]!(GOOD[operationId]),
  403: async (open, operationId, { makeKey }) => {
    const needed = operationsOf(document)
      .find((operation) => operation.operationId === operationId)!
      .security.flatMap((requirement) => Object.values(requirement).flat())
    const { secret: key } = await makeKey({ scopes: SCOPE_NAMES.filter((scope) => !needed.includes(scope)) })
    return await open({ key })[operationId]!(GOOD[operationId])
  },
  405: (open, operationId) =>
    open({ spoil: (request) => new Request(request, { method: 'PUT' }) })[operationId]!(GOOD[operationId]),
  429: async (open, operationId, { makeKey }) => {
    const { secret: key } = await makeKey({ plan: 'free' })
    for (let count = 0; count < 60; count++) await open({ key }).listPets!()
    return await open({ key })[operationId]!(GOOD[operationId])
  }
}

/** Orders an animal of which there is enough. */
async function ordered (open: Open): Promise<Outcome> {
  await open().updateInventory!(GOOD.updateInventory)
  return await open().placeOrder!(GOOD.placeOrder)
}

function withBody ({ url, method, headers }: Request, body: string, type = 'application/json'): Request {
  return new Request(url, { method, headers: { ...Object.fromEntries(headers), 'content-type': type }, body })
}

function withHeader (request: Request, name: string, value: string): Request {
  const spoiled = new Request(request)
  spoiled.headers.set(name, value)
  return spoiled
}

t.test('a consumer of the packed package', async (t) => {
  const folder = await install(t)

  await t.test(
    'compiles as ES modules, as CommonJS and for a bundler, strict and with all libraries checked',
    async (t) => {
      t.equal(await compile(folder), '')
    }
  )

  for (const project of ['esm', 'cjs']) {
    const require = createRequire(join(folder, project, 'package.json'))
    const load = async <Name extends keyof Consumer>(name: Name): Promise<Consumer[Name]> => {
      const file = `./dist/${name}.js`
      return project === 'cjs' ? require(file) : await import(pathToFileURL(join(folder, project, file)).href)
    }

    await t.test(`${project}: every operation comes to every declared status`, async (t) => {
      const { petstore } = await load('client')
      const ordinary = await startService(t)
      const answering = new Map(
        await Promise.all(
          Object.entries(startAnswering).map(async ([status, start]) => [status, await start(t)] as const)
        )
      )
      for (const { operationId, responses } of operationsOf(document)) {
        if (!t.ok(petstore({ baseUrl: '' })[operationId], `the client calls ${operationId}`)) continue
        for (const status of responses.keys()) {
          // Takes 15 seconds of a slow connection; test/api/connection/slow.test.ts provokes it.
          if (status === '408') continue
          const ofItsOwn = PROVOKED[`${operationId} ${status}`]
          const service = (ofItsOwn ? undefined : answering.get(status)) ?? ordinary
          const open: Open = (options) => petstore({ baseUrl: `${service.root}/v1`, key: service.key, ...options })
          const provoke = ofItsOwn ?? PROVOKED[status] ?? (() => open()[operationId]!(GOOD[operationId]))
          const outcome = await provoke(open, operationId, service)
          t.equal(outcome.status, Number(status), `${operationId} ${status}`)
          if (outcome.status < 300) t.equal(Boolean(outcome.body), outcome.status !== 204, 'there is a body')
          else if (outcome.status >= 400) t.equal(statusOf(outcome.code!), Number(status), outcome.code!)
          if (status === '429') t.match(outcome.wait, /^[1-9]\d*$/, 'it tells how long to wait')
        }
      }
    })

    await t.test(`${project}: the lines of the document do what they say`, async (t) => {
      const { addAndCount, namesForSale, add } = await load('readme')
      const { root, key, makeKey } = await startService(t)
      t.same(await addAndCount(`${root}/v1`, key), ['available: 1', 'pending: 0', 'sold: 0'])
      t.match(await addAndCount(`${root}/v1`, 'wrong'), /^unauthorized: /)
      const { secret } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
      t.match(await addAndCount(`${root}/v1`, secret), /^again in \d+ s$/)

      const { createPetstore } = await load('client')
      const { secret: other } = await makeKey()
      const client = createPetstore({ baseUrl: `${root}/v1`, key: other })
      t.equal(await add(client, { name: 'Ada', categoryId: 9 }), 59)
      t.same(await add(client, { name: '', categoryId: 9 }), { name: 'must have at least 1 character' })
      t.same(await namesForSale(client), ['Rex', 'Rex'])
    })

    await t.test(`${project}: what headers tell is read, and the codes are listed`, async (t) => {
      const { createPetstore, deprecationOf, nextCursor, errorCodeValues } = await load('client')
      const { root, key, call } = await startService(t)
      for (const name of ['Rex', 'Ada']) await call('POST', '/pets', { body: { name, categoryId: 7 } })
      const client = createPetstore({ baseUrl: `${root}/v1`, key })
      const { response } = await client.GET('/pets', { params: { query: { limit: 1 } } })
      const cursor = nextCursor(response)!
      t.match((await client.GET('/pets', { params: { query: { limit: 1, cursor } } })).data, [{ name: 'Ada' }])
      const read = await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
      t.same(deprecationOf(read.response)?.sunset, new Date('2030-12-05T00:00:00Z'))
      t.same(errorCodeValues, ERROR_CODES)
    })

    await t.test(`${project}: the document is there as JSON`, async (t) => {
      t.equal((await load('document')).version, document.info.version)
    })
  }
})
