import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { declarationOf } from '../scripts/compatibility/changelog.js'
import { breakingChanges } from '../scripts/compatibility/document.js'
import { SETTINGS } from '../src/config.js'
import { resolve } from '../src/contract/document/reference.js'
import { ERROR_CODES, statusOf } from '../src/domain/errors.js'
import { PLANS, PLAN_NAMES } from '../src/domain/plans.js'
import { SCOPES } from '../src/domain/scopes.js'
import { startMock } from './support/mock.js'
import { document, startService } from './support/service.js'

const run = promisify(execFile)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const scripts = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: Record<string, string> }
).scripts

/** The rows of the table under a heading, each a list of cells without their backticks. */
function tableUnder (text: string, heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}
const bare = (cell: string) => cell.replaceAll('`', '')

t.test('both commands stand at the top', async (t) => {
  const top = readme.slice(0, 1_000)
  t.match(top, /npm ci && npm start/)
  t.match(top, /npm ci && npm test/)
})

/** Runs every curl line of a text on a server, in order, and holds what it gives against what the text says. */
async function runCurls (
  t: Test,
  text: string,
  root: string,
  environment: Record<string, string> = {}
): Promise<number> {
  const examples = [...text.matchAll(/```sh\n(curl [^\n]+)\n```\n```json\n([^\n]+)\n```/g)]
  for (const [, command, answer] of examples) {
    const { stdout } = await run('bash', ['-c', command!.replaceAll('http://127.0.0.1:3000', root)], {
      env: { ...process.env, ...environment }
    })
    t.equal(stdout, answer, command!)
  }
  return examples.length
}

const [, mockSection = ''] = /\n## Mock\n(.*?)\n## /s.exec(readme) ?? []

t.test('every curl line gives what the README says, in order, on an empty database', async (t) => {
  const { root, makeKey } = await startService(t)
  const { secret } = await makeKey()
  t.equal(await runCurls(t, readme.replace(mockSection, ''), root, { PETSTORE_KEY: secret }), 5)
})

t.test('every curl line about the mock gives what the README says', async (t) => {
  const { root } = await startMock(t)
  t.equal(await runCurls(t, mockSection, root), 3)
})

t.test('the table of errors is the table of the program and of the document', async (t) => {
  const wanted = ERROR_CODES.map((code) => [code, String(statusOf(code))])
  t.same(
    tableUnder(readme, 'Errors').map((row) => row.slice(0, 2).map(bare)),
    wanted
  )
  const { description } = document.info as unknown as { description: string }
  t.same(
    tableUnder(`\n${description}`, 'Errors').map((row) => row.map(bare)),
    wanted
  )
})

t.test('the table of plans is the table of the program and of the document', async (t) => {
  const number = (value: number) => value.toLocaleString('en-US')
  const wanted = PLAN_NAMES.map((name) =>
    name === 'enterprise'
      ? [name, 'agreed', 'agreed']
      : [name, number(PLANS[name].perMinute), number(PLANS[name].perDay)]
  )
  t.same(tableUnder(readme, 'Limits'), wanted)
  const { description } = document.info as unknown as { description: string }
  t.same(
    tableUnder(`\n${description}`, 'Limits').map(([name, ...rest]) => [name!.toLowerCase(), ...rest]),
    wanted
  )
})

t.test('the table of scopes is the table of the program', async (t) => {
  t.same(
    tableUnder(readme, 'API keys').map(([name, meaning]) => [bare(name!), meaning]),
    Object.entries(SCOPES)
  )
})

t.test('the table of settings is the table of the program', async (t) => {
  const shown = (value: unknown) =>
    value === true ? 'on' : value === false ? 'off' : Array.isArray(value) ? '' : String(value ?? '')
  const wanted = Object.entries(SETTINGS).map(([name, { default: value, desc }]) => [name, shown(value), desc])
  t.same(
    tableUnder(readme, 'Configuration').map(([name, value, meaning]) => [bare(name!), bare(value!), meaning]),
    wanted
  )
})

t.test('every command is a script of the package, and every script that a person calls is in the README', async (t) => {
  for (const [, name] of readme.matchAll(/npm run ([a-z:-]*[a-z])/g)) t.ok(scripts[name!], `npm run ${name}`)
  for (const name of Object.keys(scripts).filter((script) => !/^(pre|start$|test$|types$)/.test(script))) {
    t.match(readme, `npm run ${name}`)
  }
})

t.test('every file and link that it names is there', async (t) => {
  for (const [, path] of readme.matchAll(/`((?:src|test|openapi|generated|scripts)\/[\w./-]*)`/g)) {
    t.ok(existsSync(new URL(`../${path}`, import.meta.url)), path!)
  }
  const anchors = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'))
  for (const [, target] of readme.matchAll(/\]\(([^)]+)\)/g)) {
    if (target!.startsWith('#')) t.ok(anchors.includes(target!.slice(1)), target!)
    else if (!target!.startsWith('http')) t.ok(existsSync(new URL(`../${target}`, import.meta.url)), target!)
  }
})

t.test('the deprecation headers it shows are those of the service', async (t) => {
  const { call } = await startService(t)
  const { headers } = await call('GET', '/pets/1')
  for (const name of ['Deprecation', 'Sunset', 'Link']) t.match(readme, `${name}: ${headers.get(name)}`)
})

t.test('the client it shows waits as long as it is told, and longer each time', async (t) => {
  const [, code] = /```js\n([\s\S]+?)```/.exec(readme)!
  const { call } = (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as {
    call: (url: string, options: object, more: object) => Promise<Response>
  }
  const { root, clock, makeKey } = await startService(t)
  const { secret } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 2 })
  const waits: number[] = []
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds)
    clock.advance(milliseconds)
  }
  const options = { headers: { authorization: `Bearer ${secret}` } }
  clock.set('2026-03-04T10:20:57.500Z')
  for (let i = 0; i < 2; i++) t.equal((await call(`${root}/v1/pets`, options, { sleep })).status, 200)
  t.same(waits, [3_000], 'as long as Retry-After says')

  const refusing = fastify()
  refusing.get('/', async (_request, reply) => reply.code(503).send())
  t.teardown(() => refusing.close())
  waits.length = 0
  const refused = await call(await refusing.listen({ host: '127.0.0.1', port: 0 }), {}, { sleep })
  t.equal(refused.status, 503, 'it gives up in the end')
  t.equal(waits.length, 4)
  for (const [index, wait] of waits.entries()) {
    t.ok(wait >= 1_000 * 2 ** index && wait <= 1_500 * 2 ** index, `wait ${index + 1}: ${Math.round(wait)} ms`)
  }
})

t.test('the limit headers it shows are those of a first call on the plan free', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: key } = await makeKey()
  clock.set('2026-03-04T10:20:00Z')
  const { headers } = await call('GET', '/pets', { key })
  for (const name of [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit'
  ]) {
    t.match(readme, `${name}: ${headers.get(name)}\n`)
  }
})

t.test('the breaking change it shows is declared like that', async (t) => {
  const changed = structuredClone(document)
  const { parameters } = changed.paths!['/pets']!.get!
  const { value: limit } = resolve(document, { value: parameters![0]!, pointer: '' })
  parameters![0] = { ...limit, schema: { ...limit.schema, maximum: 50 } }
  for (const change of breakingChanges(document, changed, new Date())) t.match(readme, `\n${declarationOf(change)}\n`)
})
