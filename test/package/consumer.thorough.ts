import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createPetstore, deprecationOf, nextCursor, Wait } from 'petstore/types/client'
import t from 'tap'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { ERROR_CODES, statusOf } from '../../src/domain/errors.js'
import { startAnswering } from '../support/answering.js'
import { document, startService } from '../support/service.js'
import { compile, install } from './installed.js'
import { GOOD, PROVOKED, type Open, type Options, type Store } from './provoked.js'

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
  manual: { oneLine: (show: (text: string) => void) => (wait: Wait) => void }
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

    await t.test(`${project}: the line of the manual is one for all calls that wait`, async (t) => {
      const { oneLine } = await load('manual')
      const { createPetstore } = await load('client')
      const { root, makeKey, clock } = await startService(t)
      const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 4, perDay: 100 })
      clock.advance(60_000 - (clock.now() % 60_000) - 500)
      const calls = (count: number) => Promise.all(Array.from({ length: count }, () => client.GET('/pets')))
      const lines: string[] = []
      const waits: Wait[] = []
      const tell = oneLine((line) => lines.push(line))
      const onWait = (wait: Wait) => {
        waits.push(wait)
        tell(wait)
        if (waits.length === 3) clock.advance(1_000)
      }
      const client = createPetstore({ baseUrl: `${root}/v1`, key, retry: { onWait } })
      await calls(4)
      for (const { response } of await calls(3)) t.equal(response.status, 200)
      const last = new Date(Math.max(...waits.map(({ until }) => until.getTime())))
      t.equal(lines.length, 2 * waits.length)
      t.equal(lines.at(-2), `Trying again at ${last.toLocaleTimeString()}.`)
      t.equal(lines.indexOf(''), lines.length - 1, 'there is a line while one waits')
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
