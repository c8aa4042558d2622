import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ConfigError, readConfig, SETTINGS } from '../src/config.js'
import { runInProcess } from './cli/in-process.js'

interface Wanted {
  default: unknown
  valid: Record<string, unknown>
  invalid: string[]
  /** What is said of an invalid value. */
  must: string
}

const onOff = {
  valid: { on: true, off: false, 1: true, 0: false, true: true, false: false, ON: true, False: false },
  invalid: ['yes', 'no', ' on', '2', 'onn'],
  must: 'must be on or off'
}

const wanted: Record<keyof typeof SETTINGS, Wanted> = {
  HOST: {
    default: '127.0.0.1',
    valid: { ...same('0.0.0.0', '::', '::1', 'shop.example', 'a', 'xn--bcher-kva.example'), localhost: '127.0.0.1' },
    invalid: [
      ' ',
      'http://localhost',
      'localhost:3000',
      '[::1]',
      '-a',
      'a-',
      'a b',
      '/tmp/socket',
      '127.0.0.1/8',
      'a_b'
    ],
    must: 'must be an address or a host name, such as 127.0.0.1 or 0.0.0.0'
  },
  PORT: {
    default: 3000,
    valid: { 0: 0, 1: 1, 65535: 65535 },
    invalid: ['65536', '-1', '80.5', '1e3', '0x50', 'http', ' 80', '٣'],
    must: 'must be a whole number from 0 to 65535'
  },
  DATABASE_URL: {
    default: 'sqlite:petstore.db',
    valid: same(
      'sqlite:a',
      'sqlite:./a b.db',
      'sqlite:../a',
      'sqlite:/var/lib/petstore/petstore.db',
      'sqlite:///var/lib/petstore.db',
      'postgres://u:p@h/d',
      'postgresql://h/d',
      'postgres://u:p%40%2F@[::1]:6432/d?sslmode=require',
      'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/d',
      'postgres://u:p@/d?host=/var/run/postgresql',
      'postgres:///d?user=u&host=/var/run/postgresql'
    ),
    invalid: [
      'sqlite:',
      'sqlite: ',
      'petstore.db',
      'sqlite:a.db ',
      'sqlite: a.db',
      'sqlite:a.db\r',
      'sqlite::memory:',
      'sqlite://a.db',
      'sqlite://./a.db',
      'mysql://u:p@h/d',
      'SQLITE:a',
      'postgres:d',
      'postgres://',
      'postgres://h',
      'postgres://h/',
      'postgres:///d',
      'postgres://u@/d?host=',
      'postgres://u@/d?port=5433',
      'postgres://u:50%@/d?host=/tmp',
      'postgres:///?host=/tmp',
      'postgres://h/d/e',
      'postgres://h:port/d',
      'postgres://h/d ',
      'POSTGRES://h/d'
    ],
    must: 'must be sqlite:PATH, such as sqlite:/var/lib/petstore/petstore.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
  },
  DATABASE_ANEW: { default: false, ...onOff },
  NODE_ENV: {
    default: undefined,
    valid: same('production', 'development', 'test', 'staging'),
    invalid: [],
    must: ''
  },
  REDIS_URL: {
    default: undefined,
    valid: same('redis://h', 'redis://h:6379', 'rediss://u:p@h:6380/', 'redis://:p@[::1]:6379/2'),
    invalid: [
      'h:6379',
      'redis://',
      'redis:///0',
      'redis://h/a',
      'redis://h ',
      'http://h',
      'redis://h:port',
      'redis://:50%@h',
      'redis://h?tls=true',
      'redis://h/0?keyPrefix=a'
    ],
    must: 'must be redis://USER:PASSWORD@HOST:PORT/NUMBER, or rediss:// for TLS, without parameters'
  },
  LOG_LEVEL: {
    default: 'info',
    valid: same('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    invalid: ['verbose', 'INFO', '30', 'info '],
    must: 'must be one of: trace, debug, info, warn, error, fatal, silent'
  },
  TRUST_PROXY: {
    default: [],
    valid: { '10.0.0.7': ['10.0.0.7'], '10.0.0.0/8, ::1,fc00::/7': ['10.0.0.0/8', '::1', 'fc00::/7'] },
    invalid: [
      '1',
      'true',
      '*',
      'loopback',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '::/0',
      'fc00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0',
      '10.0.0.1,',
      ',',
      '10.0.0.0/-1',
      'proxy.example'
    ],
    must: 'must be a list of the addresses or networks of your proxies, such as 10.0.0.7,192.168.0.0/16; a number of hops or true would let callers choose their own address'
  },
  CORS_ORIGIN: {
    default: '*',
    valid: {
      '*': '*',
      'https://shop.example': ['https://shop.example'],
      'http://localhost:5173, https://a.example': ['http://localhost:5173', 'https://a.example']
    },
    invalid: [
      'shop.example',
      'https://shop.example/',
      'https://shop.example/path',
      '*,https://a.example',
      'https://*.example',
      'null',
      'https://a.example,',
      'https://a.example:443',
      'HTTPS://a.example'
    ],
    must: 'must be * or a list of origins, such as https://shop.example,https://admin.example'
  },
  DOCS: { default: true, ...onOff },
  SUNSET_ENFORCE: { default: false, ...onOff },
  EXPERIMENTAL: { default: true, ...onOff },
  DRAIN_DELAY: {
    default: 0,
    valid: { 0: 0, 60: 60 },
    invalid: ['61', '-1', '5s', '0.5'],
    must: 'must be a whole number from 0 to 60'
  },
  KEEP_ALIVE_TIMEOUT: {
    default: 72,
    valid: { 1: 1, 600: 600 },
    invalid: ['0', '601', 'off'],
    must: 'must be a whole number from 1 to 600'
  },
  MAX_CONNECTIONS: {
    default: 10_000,
    valid: { 1: 1, 1000000: 1_000_000 },
    invalid: ['0', '1000001', '1_000', 'Infinity'],
    must: 'must be a whole number from 1 to 1000000'
  },
  METRICS_PORT: {
    default: undefined,
    valid: { 0: 0, 9464: 9464, 65535: 65535 },
    invalid: ['65536', '-1', '80.5', 'on', ' 80'],
    must: 'must be a whole number from 0 to 65535'
  },
  METRICS_HOST: {
    default: '127.0.0.1',
    valid: { ...same('0.0.0.0', '::1', 'metrics.example'), localhost: '127.0.0.1' },
    invalid: [' ', 'http://localhost', '127.0.0.1:9464'],
    must: 'must be an address or a host name, such as 127.0.0.1 or 0.0.0.0'
  },
  BACKUP_PATH: {
    default: undefined,
    valid: same('/var/backups/petstore', '/a b.db'),
    invalid: [' ', 'backups', './backups', ' /a'],
    must: 'must be an absolute path, such as /var/backups/petstore'
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: undefined,
    valid: same('http://127.0.0.1:4318', 'https://collector.example/otlp', 'http://[::1]:4318/'),
    invalid: ['127.0.0.1:4318', 'http://', 'grpc://h', 'http://h ', 'http://h:port'],
    must: 'must be an http or https URL, such as http://127.0.0.1:4318'
  }
}

function same (...texts: string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [text, text]))
}

/** Makes an empty folder the working directory, until the test ends. */
function enterFolder (t: Test): string {
  const before = process.cwd()
  const folder = t.testdir()
  process.chdir(folder)
  t.teardown(() => process.chdir(before))
  return folder
}

t.test('every setting is tested here', async (t) => {
  t.same(Object.keys(wanted).sort(), Object.keys(SETTINGS).sort())
})

t.test('an empty environment gives every default; an empty variable counts as not set', async (t) => {
  const defaults = Object.fromEntries(Object.entries(wanted).map(([name, { default: value }]) => [name, value]))
  t.strictSame(readConfig({}), defaults)
  t.strictSame(readConfig(Object.fromEntries(Object.keys(wanted).map((name) => [name, '']))), defaults)
  t.strictSame(
    readConfig({ PATH: '/bin', HOSTNAME: 'vm' }),
    defaults,
    'other variables mean nothing'
  )
})

t.test('a configuration cannot be changed', async (t) => {
  t.throws(() => {
    ;(readConfig({}) as { PORT: number }).PORT = 1
  }, TypeError)
})

for (const [name, { valid, invalid, must }] of Object.entries(wanted)) {
  t.test(`${name} takes what it says and refuses the rest with its name`, async (t) => {
    for (const [text, value] of Object.entries(valid)) {
      t.strictSame(readConfig({ [name]: text })[name as keyof typeof SETTINGS], value, text)
    }
    for (const text of invalid) {
      t.throws(
        () => readConfig({ [name]: text }),
        new ConfigError(`The configuration cannot be used:\n  ${name} ${must}`),
        JSON.stringify(text)
      )
    }
  })
}

t.test(
  'a server on PostgreSQL needs Redis to count in, and one on SQLite has no use for it; neither URL is shown',
  async (t) => {
    const folder = enterFolder(t)
    const redis = 'redis://:hunter2@127.0.0.1:1'
    const wanted: [environment: Record<string, string>, problem: string][] = [
      [
        { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' },
        'must be set with PostgreSQL, so that all servers count together'
      ],
      [{ REDIS_URL: redis }, 'must not be set with SQLite, whose one server counts by itself']
    ]
    for (const [environment, problem] of wanted) {
      t.strictSame(await runInProcess(['serve'], environment), {
        code: 78,
        stdout: '',
        stderr: `petstore: The configuration cannot be used:\n  REDIS_URL ${problem}\n`
      })
    }
    t.notOk(existsSync(join(folder, 'petstore.db')))
  }
)

t.test('all problems are told at once, without the values, with exit code 78, before anything is opened', async (t) => {
  const folder = enterFolder(t)
  const environment = Object.fromEntries(Object.keys(wanted).map((name) => [name, `hunter2-${name}!`]))
  for (const args of [['serve'], []]) {
    const { code, stdout, stderr } = await runInProcess(args, environment)
    t.same({ code, stdout }, { code: 78, stdout: '' })
    t.equal(
      stderr,
      `petstore: The configuration cannot be used:\n${Object.entries(wanted)
        .filter(([, { invalid }]) => invalid.length > 0)
        .map(([name, { must }]) => `  ${name} ${must}\n`)
        .join('')}`
    )
  }
  const { code } = await runInProcess(['serve'], { PORT: 'http' })
  t.equal(code, 78)
  t.notOk(existsSync(join(folder, 'petstore.db')))
})
