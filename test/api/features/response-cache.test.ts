import fastify from 'fastify'
import t from 'tap'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { operation as operationPlugin } from '../../../src/plugins/operation/operation.js'
import { responseCache } from '../../../src/plugins/operation/response-cache.js'
import { document } from '../../support/service.js'

t.test('a text that is not ASCII counts two bytes a character, as it may take in memory', async (t) => {
  for (const [character, handled] of [['a', 3], ['я', 4], ['猫', 4]] as const) {
    const operation = operationsOf(document).find(({ operationId }) => operationId === 'getPet')!
    const { plugin, interceptor } = responseCache({ maxBytes: 100_000 })
    const app = fastify()
    t.teardown(() => app.close())
    let calls = 0
    const work = interceptor(operation, async () => {
      calls++
      return { status: 200, headers: {}, body: character.repeat(20_000), isCurrent: () => true }
    })
    await app.register(operationPlugin)
    await app.register(plugin)
    app.get('/:id', { config: { operation } }, async (request) => (await work(request)).body)
    for (const path of ['/1', '/2', '/3', '/1']) await app.inject(path)
    t.equal(calls, handled, character)
  }
})
