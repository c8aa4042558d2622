import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { cleanEnv, makeValidator, str, type ReporterOptions } from 'envalid'

/** Everything that the environment can say, checked. */
export type Config = Readonly<ReturnType<typeof readConfig>>

/**
 * The environment cannot be used; the message lists every problem, a line each, and never a value that may be secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const wholeNumber = (from: number, to: number) =>
  makeValidator<number>((text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text)
    throw new TypeError(`must be a whole number from ${from} to ${to}`)
  })

const optionalPort = makeValidator<number | undefined>((text) => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new TypeError('must be a whole number from 0 to 65535')
})

const absolutePath = makeValidator<string | undefined>((text) => {
  if (isAbsolute(text)) return text
  throw new TypeError('must be an absolute path, such as /var/backups/petstore')
})

const httpUrl = makeValidator<string | undefined>((text) => {
  if (/^https?:\/\//.test(text) && isServerUrl(text)) return text
  throw new TypeError('must be an http or https URL, such as http://127.0.0.1:4318')
})

const onOff = makeValidator<boolean>((text) => {
  if (/^(on|1|true)$/i.test(text)) return true
  if (/^(off|0|false)$/i.test(text)) return false
  throw new TypeError('must be on or off')
})

const oneOf = <Name extends string>(names: readonly Name[]) =>
  makeValidator<Name>((text) => {
    if (names.includes(text as Name)) return text as Name
    throw new TypeError(`must be one of: ${names.join(', ')}`)
  })

const host = makeValidator<string>((text) => {
  // A name of two addresses would be two servers; every client that tries ::1 first falls back.
  if (text === 'localhost') return '127.0.0.1'
  if (isIP(text) || (!/^[\d.]+$/.test(text) && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text))) return text
  throw new TypeError('must be an address or a host name, such as 127.0.0.1 or 0.0.0.0')
})

const databaseUrl = makeValidator<string>((text) => {
  if (sqlitePathOf(text) !== undefined || isPostgresUrl(text)) return text
  throw new TypeError(
    'must be sqlite:PATH, such as sqlite:/var/lib/petstore/petstore.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
  )
})

const redisUrl = makeValidator<string | undefined>((text) => {
  if (/^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(text) && isServerUrl(text)) return text
  throw new TypeError('must be redis://USER:PASSWORD@HOST:PORT/NUMBER, or rediss:// for TLS, without parameters')
})

const origins = makeValidator<'*' | string[]>((text) => {
  if (text === '*') return '*'
  const list = text.split(',').map((origin) => origin.trim())
  if (list.every((origin) => !origin.includes('*') && URL.canParse(origin) && new URL(origin).origin === origin)) {
    return list
  }
  throw new TypeError('must be * or a list of origins, such as https://shop.example,https://admin.example')
})

const networks = makeValidator<string[]>((text) => {
  const list = text.split(',').map((network) => network.trim())
  if (list.every(isNetwork)) return list
  throw new TypeError(
    'must be a list of the addresses or networks of your proxies, such as 10.0.0.7,192.168.0.0/16; ' +
      'a number of hops or true would let callers choose their own address'
  )
})

/** The settings; the table in docs/operating.md is checked against this one. */
export const SETTINGS = {
  HOST: host({
    default: '127.0.0.1',
    desc: 'Address to listen on. `0.0.0.0` for every IPv4 interface, as in a container.'
  }),
  PORT: wholeNumber(0, 65_535)({ default: 3000, desc: 'Port to listen on. 0 takes a free one.' }),
  DATABASE_URL: databaseUrl({
    default: 'sqlite:petstore.db',
    desc:
      'Where the records live: `sqlite:PATH`, relative to the working directory, ' +
      'or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.'
  }),
  DATABASE_ANEW: onOff({
    default: false,
    desc: 'Begin with an empty SQLite database where the file of one was removed: on or off.'
  }),
  NODE_ENV: str({
    default: undefined,
    desc: 'With `production`, the first start makes no API key for development, whose secret would stand in the log.'
  }),
  REDIS_URL: redisUrl({
    default: undefined,
    desc:
      'Where the servers that share a PostgreSQL count: `redis://HOST:PORT`, or `rediss://HOST:PORT` for TLS. ' +
      'Needed by servers on PostgreSQL, not by the other commands; refused with SQLite.'
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS)({ default: 'info', desc: `Least level that is logged: ${LOG_LEVELS.join(', ')}.` }),
  TRUST_PROXY: networks({ default: [], desc: 'Addresses or networks of proxies whose `X-Forwarded-*` is believed.' }),
  CORS_ORIGIN: origins({ default: '*', desc: 'Origins whose pages may call: `*` or a list.' }),
  DOCS: onOff({ default: true, desc: 'Serve the docs page, the document and the pages about them: on or off.' }),
  SUNSET_ENFORCE: onOff({
    default: false,
    desc: 'Answer 410 once a deprecated operation has reached its sunset: on or off.'
  }),
  EXPERIMENTAL: onOff({
    default: true,
    desc: 'Serve the operations that the document marks `x-stability: experimental`: on or off.'
  }),
  DRAIN_DELAY: wholeNumber(0, 60)({
    default: 0,
    desc: 'Seconds between SIGTERM and the end of listening, for a balancer that polls `/readyz`.'
  }),
  KEEP_ALIVE_TIMEOUT: wholeNumber(1, 600)({
    default: 72,
    desc: 'Seconds that an idle connection stays open. Longer than the idle time of a balancer in front; 5 without one.'
  }),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000)({ default: 10_000, desc: 'Connections at a time; more are refused.' }),
  METRICS_PORT: optionalPort({
    default: undefined,
    desc: 'Port of the metrics, at `/metrics`. There are none without it. 0 takes a free one.'
  }),
  METRICS_HOST: host({
    default: '127.0.0.1',
    desc: 'Address to listen on for those who read the metrics. Only the operator should reach it.'
  }),
  BACKUP_PATH: absolutePath({
    default: undefined,
    desc: 'File or folder where backups are written, so that the metrics tell the age of the newest.'
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    default: undefined,
    desc: 'Where traces are sent, as OTLP over HTTP: `http://HOST:4318`. Nothing is traced without it.'
  })
}

/**
 * Reads the configuration from the environment; an empty variable counts as not set.
 * @throws {ConfigError} with every problem at once
 */
export function readConfig (environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  return Object.freeze({ ...cleanEnv(given, SETTINGS, { reporter: refuseProblems }) })
}

/**
 * Checks what a server needs of settings together: that it counts where the other servers that share its records do.
 * @throws {ConfigError} when the records are shared and the counters are not, or the other way round
 */
export function checkServing ({ DATABASE_URL, REDIS_URL }: Pick<Config, 'DATABASE_URL' | 'REDIS_URL'>): void {
  const shared = isPostgresUrl(DATABASE_URL)
  if (shared === (REDIS_URL !== undefined)) return
  throw refusal([
    shared
      ? 'REDIS_URL must be set with PostgreSQL, so that all servers count together'
      : 'REDIS_URL must not be set with SQLite, whose one server counts by itself'
  ])
}

/** Gives the path in `sqlite:PATH`; undefined for any other text. */
export function sqlitePathOf (text: string): string | undefined {
  // Not `//host/path`, which would be a path from the root, nor `:memory:`, nor blanks at an end, which the driver cuts
  // off.
  return /^sqlite:((?!\/\/[^/]|:memory:$)\S(?:.*\S)?)$/.exec(text)?.[1]
}

/** Whether the text is `postgres://…/DATABASE`; as in libpq, the parameter `host` may replace the host. */
export function isPostgresUrl (text: string): boolean {
  const url = /[?&]host=./.test(text) ? text.replace(/^(\w+:\/\/([^/]*@)?)\//, '$1localhost/') : text
  return /^postgres(ql)?:\/\//.test(url) && isServerUrl(url) && /^\/[^/]+$/.test(new URL(url).pathname)
}

function isServerUrl (text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return hostname !== '' && [username, password].every(isDecodable)
}

function isDecodable (text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Envalid's reporter: it is given the problems of all variables. */
function refuseProblems ({ errors }: ReporterOptions<unknown>): void {
  const problems = Object.entries(errors as Record<string, Error>).map(([name, { message }]) => `${name} ${message}`)
  if (problems.length > 0) throw refusal(problems)
}

function refusal (problems: string[]): ConfigError {
  return new ConfigError(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

/** Whether a text is an address or a network, `10.0.0.0/8`; one of 0 bits would be every address. */
function isNetwork (text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  const largest = version === 4 ? 32 : 128
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= largest
}
