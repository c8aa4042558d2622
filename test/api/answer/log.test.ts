import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { sendRaw } from '../../../scripts/http/raw.js'
import { BAN_GRACE } from '../../../src/domain/bans.js'
import { recordingLogger } from '../../support/log.js'
import { startService } from '../../support/service.js'

/** What pino writes into every line by itself; the logger of a request adds its id. */
const OF_THE_LOGGER = ['level', 'time', 'pid', 'hostname', 'msg']
const OF_A_REQUEST = [...OF_THE_LOGGER, 'reqId']
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

t.test('no line of the log has a name twice', async (t) => {
  const { lines, logger } = recordingLogger('trace')
  const service = await startService(t, {
    logger,
    ping: async () => {
      throw new Error('away')
    }
  })
  const { secret: key } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  for (let call = 0; call < 12; call++) {
    await service.call('GET', '/pets', { key })
    service.clock.advance(BAN_GRACE)
  }
  await service.call('GET', '/pets/1', { key: 'wrong' })
  await service.call('POST', '/pets', { body: { name: 1 } })
  await service.fetch('GET', '/readyz')
  await sendRaw(service.port, 'GET\r\n\r\n')
  const messages = lines.map((line) => JSON.parse(line).msg)
  for (const message of ['answered', 'API key banned', 'request failed', 'request refused', 'not a request']) {
    t.ok(messages.includes(message), message)
  }
  for (const line of lines) t.same(namesGivenTwice(line), [], line)
})

t.test('what the source writes into the log has no name that the logger has', async (t) => {
  const root = fileURLToPath(new URL('../../../src/', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  let calls = 0
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true)
    for (const { logger, fields } of logCallsIn(source)) {
      calls++
      const taken = logger === 'request.log' ? OF_A_REQUEST : OF_THE_LOGGER
      t.same(
        namesOf(fields).filter((name) => taken.includes(name)),
        [],
        `${file}: ${fields.getText()}`
      )
    }
  }
  t.ok(calls > 5, 'the calls are found')
})

/** The calls of `log.info(…)` and its like in a file that are given an object. */
function logCallsIn (source: ts.SourceFile): { logger: string; fields: ts.ObjectLiteralExpression }[] {
  const found: ReturnType<typeof logCallsIn> = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node)) return
    const { expression: called, arguments: [fields] } = node
    // The level may be chosen: log[level](…).
    if (!ts.isElementAccessExpression(called) && !ts.isPropertyAccessExpression(called)) return
    if (ts.isPropertyAccessExpression(called) && !LEVELS.includes(called.name.text)) return
    const logger = called.expression.getText()
    if (!/\blog$/.test(logger)) return
    if (fields && ts.isObjectLiteralExpression(fields)) found.push({ logger, fields })
  }
  visit(source)
  return found
}

function namesOf ({ properties }: ts.ObjectLiteralExpression): string[] {
  return properties.map(({ name }) => (name && (ts.isStringLiteral(name) || ts.isIdentifier(name)) ? name.text : ''))
}

/** The names that an object within a JSON text has more than once, which JSON.parse does not tell. */
function namesGivenTwice (json: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const names = namesOf(node)
      found.push(...names.filter((name, index) => names.indexOf(name) !== index))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.parseJsonText('line.json', json))
  return found
}

t.test('the line of an answer names the code of the error, whoever answers it, and none where there is no error', async (t) => {
  const { lines, logger } = recordingLogger('info')
  const service = await startService(t, {
    logger,
    ping: async () => {
      throw new Error('away')
    }
  })
  const { secret: limited } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  const calls: [send: () => Promise<unknown>, code: string | undefined][] = [
    [() => service.call('GET', '/pets', { key: limited }), undefined],
    [() => service.call('GET', '/pets', { key: limited }), 'rate_limited'],
    [() => service.call('GET', '/pets', { key: 'wrong' }), 'unauthorized'],
    [() => service.call('POST', '/pets', { body: { name: 1 } }), 'bad_request'],
    [() => service.call('GET', '/pets/1'), 'not_found'],
    [() => service.fetch('GET', '/nowhere'), 'not_found'],
    [() => service.fetch('GET', '/%zz'), 'bad_request'],
    [() => service.fetch('DELETE', '/healthz'), 'method_not_allowed'],
    [() => service.fetch('GET', '/readyz'), 'internal_error']
  ]
  for (const [send] of calls) await send()
  const answers = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  t.same(answers.map(({ code }) => code), calls.map(([, code]) => code))
})
