import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runProgram, startProgram } from '../../scripts/cluster/program.js'
import { programName } from '../../src/cli/terminal/program-name.js'
import { SETTINGS } from '../../src/config.js'
import { ROOT } from '../support/documents.js'
import { seeded } from './database/seeded.js'
import { runInProcess } from './in-process.js'

t.test('a terminal shows how far a long work is, on a line that is gone at the end; a file gets none of it', async (t) => {
  const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` }
  const shown = await runInProcess(['seed', '--pets', '1200'], database, { isTTY: true })
  t.same({ ...shown, stderr: '' }, { code: 0, stdout: 'Added 1200 pets.\n', stderr: '' })
  t.same(
    shown.stderr.split('\r\u001b[K').filter((line) => line !== ''),
    ['Opening the database', '0 of 1200 pets added', '500 of 1200 pets added', '1000 of 1200 pets added']
  )
  t.ok(shown.stderr.endsWith('\r\u001b[K'), 'nothing is left of it')
  t.equal((await runInProcess(['seed', '--pets', '1200'], database)).stderr, '')
})

t.test('a wait that ends in a failure leaves its line empty before the failure is told', async (t) => {
  const { code, stderr } = await runInProcess(
    ['keys', 'list'],
    { DATABASE_URL: `sqlite:${join(t.testdir(), 'missing/petstore.db')}` },
    { isTTY: true }
  )
  t.equal(code, 78)
  t.ok(stderr.startsWith('\r\u001b[KOpening the database\r\u001b[Kpetstore: '), stderr)
})

t.test('the version is that of the package, and a subcommand that is not there is refused', async (t) => {
  t.match(await runInProcess(['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' })
  const folder = t.testdir()
  t.match(await runInProcess(['sreve'], { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` }), {
    code: 2,
    stdout: '',
    stderr: "petstore: unknown command 'sreve'\n(Did you mean serve?)\nAdd --help for the usage.\n"
  })
  t.notOk(existsSync(join(folder, 'petstore.db')))
})

t.test('a mistyped word is told with the nearest one that there is', async (t) => {
  for (const [args, nearest] of [
    [['keyz'], 'keys'],
    [['mok', '--require-key'], 'mock'],
    [['keys', 'lst'], 'list'],
    [['orders', 'complet', '1'], 'complete'],
    [['--versoin'], '--version'],
    [['serve', '--hepl'], '--help'],
    [['backup', 'a.db', '--kepe', '3'], '--keep']
  ] as const) {
    const { code, stdout, stderr } = await runInProcess([...args])
    t.same({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
    t.match(stderr, `(Did you mean ${nearest}?)`)
  }
})

t.test('hints and examples name the program as it was started', async (t) => {
  for (const [file, folder, words] of [
    ['/opt/petstore/dist/main.js', '/opt/petstore', 'node dist/main.js'],
    ['/opt/petstore/dist/main.js', '/', 'node /opt/petstore/dist/main.js'],
    ['/opt/petstore/dist/main.js', '/opt/pet', 'node /opt/petstore/dist/main.js'],
    ['/home/a/petstore/src/main.ts', '/home/a/petstore', 'npx tsx src/main.ts'],
    ['/usr/local/bin/petstore', '/usr', 'petstore']
  ] as const) {
    t.equal(programName(file, folder), words)
  }
  const { environment } = await seeded(t, 1)
  const { stdout } = await runProgram(['keys', 'create', '--help'], environment, { cwd: ROOT })
  t.match(stdout, 'Usage: node dist/main.js keys create ')
  t.match(stdout, '\n  node dist/main.js keys create --plan enterprise')
  const withoutSubcommand = await runProgram(['keys'], environment, { cwd: ROOT })
  t.match(withoutSubcommand.stderr, 'Usage: node dist/main.js keys ')
  const { stderr } = await startProgram(t, environment)
  t.match(stderr(), '(node dist/main.js keys create makes one)')
})

/** What the mock has no use for: it has no database and makes no key, and nobody watches it. */
const NOT_OF_MOCK = [
  'DATABASE_URL',
  'DATABASE_ANEW',
  'NODE_ENV',
  'REDIS_URL',
  'DRAIN_DELAY',
  'METRICS_PORT',
  'METRICS_HOST',
  'BACKUP_PATH',
  'OTEL_EXPORTER_OTLP_ENDPOINT'
]

t.test('the help of a command lists the variables that it reads, with their defaults', async (t) => {
  const all = Object.keys(SETTINGS)
  const stored = ['DATABASE_URL']
  const wanted: [command: string, names: string[]][] = [
    ['serve', all],
    ['mock', all.filter((name) => !NOT_OF_MOCK.includes(name))],
    ['keys', stored],
    ['orders', stored],
    ['seed', stored],
    ['migrate-data', stored]
  ]
  for (const [command, names] of wanted) {
    const { stdout } = await runInProcess([command, '--help'])
    const [, list = ''] = /\nEnvironment:\n([^]*?)(?:\n\n|\n$)/.exec(stdout) ?? []
    t.same([...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name), names, command)
  }
  const { stdout } = await runInProcess(['serve', '--help'])
  const text = stdout.replace(/\s+/g, ' ')
  for (const words of ['PORT Port to listen on. 0 takes a free one. (default: 3000)', 'on or off. (default: on)']) {
    t.match(text, words)
  }
})

t.test('no line of a help has more than 80 columns, but for examples', async (t) => {
  for (const args of [[], ['serve'], ['mock'], ['keys'], ['keys', 'create'], ['keys', 'rotate'], ['seed'], ['orders']]) {
    const [explained = ''] = (await runInProcess([...args, '--help'])).stdout.split(/\nExamples?:\n/)
    for (const line of explained.split('\n')) t.ok(line.length <= 80, line)
  }
})
