import { Redis } from 'ioredis'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters, styleText } from 'node:util'
import t, { type Test } from 'tap'
import { ask, startPostgres } from '../../../scripts/cluster/postgres.js'
import { MAIN, runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { startRedis, tell } from '../../../scripts/cluster/redis.js'
import { eventually, programAt } from '../../../scripts/cluster/server.js'
import { missingScaled } from '../../support/databases.js'
import { leaveOut } from '../../support/leave-out.js'
import { emptyDatabase, runInProcess } from '../in-process.js'
import { canaryCage, checkPlaces, sendCanaries } from './canaries.js'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

async function databaseWithKey (t: Test) {
  const environment = emptyDatabase(t)
  const { key } = JSON.parse(
    (await runInProcess(['keys', 'create', '--plan', 'business', '--json'], environment)).stdout
  ) as { key: string }
  return { path: environment.DATABASE_URL.slice(7), environment, key }
}

/** What the system tells of a process to other programs of its user, but for its memory and what the kernel does. */
function procOf (pid: number): string {
  const folder = `/proc/${pid}`
  const links = readdirSync(`${folder}/fd`).map((name) => {
    try {
      return readlinkSync(`${folder}/fd/${name}`)
    } catch {
      return ''
    }
  })
  const tasks = readdirSync(`${folder}/task`).map((id) => `task/${id}/comm`)
  const files = ['cmdline', 'environ', 'comm', 'status', 'stat', 'limits', 'maps', 'mountinfo', 'sched', ...tasks]
  const texts = files.filter((name) => existsSync(`${folder}/${name}`)).map((name) => {
    try {
      return readFileSync(`${folder}/${name}`, 'latin1')
    } catch {
      return ''
    }
  })
  return [...texts, ...links].join('\n')
}

for (const level of LEVELS) {
  t.test(`at LOG_LEVEL=${level} no key stands in the output, the database or /proc of the process`, async (t) => {
    const { path, environment, key } = await databaseWithKey(t)
    const { secrets, canary } = canaryCage(key)
    const server = await startProgram(t, { ...environment, LOG_LEVEL: level })
    await sendCanaries(t, server.root, key, canary)
    const proc = procOf(server.child.pid!)
    const wal = readFileSync(`${path}-wal`, 'latin1')
    t.equal(await server.stop(), 0)
    checkPlaces(t, secrets, {
      stdout: [server.stdout(), ['trace', 'debug', 'info'].includes(level) ? '"path":"/v1/pets' : ''],
      stderr: [server.stderr(), server.root],
      '/proc': [proc, `LOG_LEVEL=${level}`],
      'the log of the database': [wal, 'Rex'],
      'the database': [readFileSync(path, 'latin1'), 'Rex']
    })
  })
}

t.test('nor on a terminal, where each answer is one line', async (t) => {
  const script = programAt('script')
  if (!script) return leaveOut(t, 'script is not installed')
  const { environment, key } = await databaseWithKey(t)
  const { secrets, canary } = canaryCage(key)
  const program = `exec ${process.execPath} ${MAIN} serve`
  const child = spawn(script, ['--quiet', '--flush', '--return', '--command', program, '/dev/null'], {
    env: { ...process.env, NODE_OPTIONS: '', CI: undefined, TERM: 'xterm-256color', PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  let root = ''
  await eventually(async () => {
    root = /on (http:\/\/\S+?)\/v1/.exec(text)?.[1] ?? ''
    if (root === '') throw new Error('not listening')
  })
  const from = text.length
  await sendCanaries(t, root, key, canary)
  // Ctrl-C.
  child.stdin.write('\u0003')
  t.same(await ended, [0, null])
  checkPlaces(t, secrets, { terminal: [text, '/v1/pets'] })
  const lines = text.slice(from).replace('^C', '').trimEnd().split('\r\n')
  const ofAnswers = lines.filter((line) =>
    /^[\d:.]{12} [A-Z]+ +\/\S* \d{3} \d+\.\d ms/.test(stripVTControlCharacters(line))
  )
  t.ok(ofAnswers.some((line) => line.endsWith(' bad_request')))
  t.ok(text.includes(styleText('yellow', '400', { validateStream: false })), 'in colors')
  t.same(
    lines.filter((line) => !ofAnswers.includes(line)).map((line) => line.replace(/.*INFO/, 'INFO')),
    lines.slice(-2).map((line) => line.replace(/.*INFO/, 'INFO')),
    'all but the last two, which tell of the stop'
  )
})

/** Lets signals cause faults that nothing catches, which tell a secret in every place that they have. */
const faultsWith = (secret: string): string => `
const fault = () => Object.assign(new Error('of ${secret}', { cause: new TypeError('from ${secret}') }), {
  code: 'ERR_FAULT', detail: '${secret}', headers: { authorization: 'Bearer ${secret}' }
})
process.on('SIGUSR2', () => { throw fault() })
process.on('SIGWINCH', () => { Promise.reject(fault()) })
process.on('SIGCONT', () => { Promise.reject('${secret}') })
process.on('SIGURG', () => { Promise.reject({ key: '${secret}' }) })`

for (const signal of ['SIGUSR2', 'SIGWINCH', 'SIGCONT', 'SIGURG'] as const) {
  t.test(`a crash (${signal}) tells its fault, and no key`, async (t) => {
    const { environment, key } = await databaseWithKey(t)
    const { secrets, canary } = canaryCage(key)
    const faults = join(t.testdir({ 'faults.mjs': faultsWith(canary()) }), 'faults.mjs')
    const child = spawn(process.execPath, ['--import', faults, MAIN, 'serve'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', LOG_LEVEL: 'trace', ...environment },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.teardown(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (written[name] += chunk))
    await eventually(async () => {
      if (!written.stderr.includes('First call')) throw new Error('not listening')
    })
    child.kill(signal)
    t.same(await ended, [1, null])
    checkPlaces(t, secrets, {
      stdout: [written.stdout, 'a fault that nothing caught'],
      stderr: [written.stderr, 'First call']
    })
  })
}

t.test('no key stands in the log of PostgreSQL with every statement, in what Redis is told, or in the data of both', async (t) => {
  if (missingScaled) return leaveOut(t, missingScaled)
  const settings = [
    'logging_collector=on',
    'log_directory=log',
    'log_statement=all',
    'log_min_duration_statement=0',
    'log_error_verbosity=verbose',
    'log_parameter_max_length=-1',
    'log_parameter_max_length_on_error=-1'
  ]
  const postgres = await startPostgres({ settings })
  t.teardown(() => postgres.server.remove())
  const redis = await startRedis()
  t.teardown(() => redis.server.remove())
  const client = new Redis(redis.url, { retryStrategy: () => null })
  const monitor = await client.monitor()
  for (const connection of [client, monitor]) connection.on('error', () => {})
  t.teardown(() => {
    client.disconnect()
    monitor.disconnect()
  })
  let told = ''
  monitor.on('monitor', (_time: string, args: string[]) => {
    told += `${JSON.stringify(args)}\n`
  })

  const environment = { DATABASE_URL: await postgres.createDatabase(), LOG_LEVEL: 'trace' }
  const keys = async (...args: string[]): Promise<{ id: string; key: string }> => {
    const { stdout } = await runProgram(['keys', ...args, '--json'], environment)
    return JSON.parse(stdout.trim().split('\n').at(-1)!)
  }
  const { id, key: first } = await keys('create', '--plan', 'business')
  const { secrets, canary } = canaryCage(first)
  const { key } = await keys('rotate', id, '--overlap', '24h')
  secrets.push(key)
  const server = await startProgram(t, { ...environment, REDIS_URL: redis.url })
  for (const valid of [first, key]) await sendCanaries(t, server.root, valid, canary)
  await keys('revoke', id)
  const proc = procOf(server.child.pid!)
  t.equal(await server.stop(), 0)
  await tell(redis.url, 'SAVE')
  await ask(environment.DATABASE_URL, 'CHECKPOINT')

  const data = join(postgres.server.folder, 'data')
  const filesIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')
  checkPlaces(t, secrets, {
    stdout: [server.stdout(), '"status":201'],
    stderr: [server.stderr(), server.root],
    '/proc': [proc, 'LOG_LEVEL=trace'],
    'the log of PostgreSQL': [filesIn(join(data, 'log')), 'api_keys'],
    'the log of PostgreSQL before a transaction': [filesIn(join(data, 'pg_wal')), 'Rex'],
    'the tables of PostgreSQL': [filesIn(join(data, 'base')), 'Rex'],
    'what Redis is told': [told, id],
    'the data of Redis': [filesIn(redis.server.folder), id]
  })
})
