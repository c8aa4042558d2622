import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import t from 'tap'
import { startProgram } from '../../scripts/cluster/program.js'
import { runInProcess } from './in-process.js'

const run = promisify(execFile)

for (const { args, environment, key, keyless, docs, signal } of [
  { args: ['mock'], environment: {}, key: 'It needs no key.', keyless: 200, docs: true, signal: 'SIGINT' },
  {
    args: ['mock', '--require-key'],
    environment: { DOCS: 'off', LOG_LEVEL: 'silent' },
    key: 'Any key will do.',
    keyless: 401,
    docs: false,
    signal: 'SIGTERM'
  }
] as const) {
  t.test(
    `petstore ${args.join(' ')} says that it is a mock, where it is and how to choose answers, and ends at once on ${signal}`,
    async (t) => {
      const cwd = t.testdir()
      const mock = await startProgram(t, environment, [...args], cwd)
      const lines = mock.stderr().split('\n')
      t.equal(lines[0], `Mock of the Petstore API on ${mock.root}/v1${docs ? `, docs page on ${mock.root}/docs` : ''}`)
      t.match(mock.stderr(), key)
      const commands = lines.filter((line) => line.startsWith('  curl '))
      const statuses = await Promise.all(
        commands.map(
          async (command) => (await run('bash', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`])).stdout
        )
      )
      t.same(statuses, ['200', '429', '429'])
      t.equal((await fetch(`${mock.root}/v1/pets`)).status, keyless)

      const socket = connect(Number(new URL(mock.root).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        'POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\nContent-Length: 30\r\nExpect: 100-continue\r\n\r\n'
      )
      await once(socket, 'data')
      const since = performance.now()
      t.equal(await mock.stop(signal), 0)
      t.ok(performance.now() - since < 3_000, 'whatever is under way')
      t.same(readdirSync(cwd), [], 'nothing is stored')
    }
  )
}

t.test('what it cannot start with is told in a sentence', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  for (const [args, environment, code, says] of [
    [
      ['mock'],
      { PORT: String(port) },
      75,
      `petstore: Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT.\n`
    ],
    [
      ['mock'],
      { CORS_ORIGIN: 'shop' },
      78,
      'petstore: The configuration cannot be used:\n  CORS_ORIGIN must be * or a list'
    ],
    [['mock', 'now'], {}, 2, 'petstore: too many arguments']
  ] as const) {
    const ended = await runInProcess([...args], { LOG_LEVEL: 'silent', ...environment })
    t.match({ code: ended.code, stdout: ended.stdout }, { code, stdout: '' })
    t.ok(ended.stderr.startsWith(says), ended.stderr)
  }
})

t.test('--help explains it', async (t) => {
  const { code, stdout } = await runInProcess(['mock', '--help'])
  t.equal(code, 0)
  for (const words of ['--require-key', 'Prefer: code=404', 'HOST', 'PORT', 'CORS_ORIGIN', 'Environment:', 'Example:']) {
    t.match(stdout, words)
  }
  t.notMatch(stdout, /DATABASE|NODE_ENV/, 'it has no database and makes no key')
})
