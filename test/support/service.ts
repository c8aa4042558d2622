import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { conformanceOf } from '../../scripts/http/conformance.js'
import { SETTINGS as PROGRAM_SETTINGS, serveInProcess } from '../../scripts/service/in-process.js'
import type { AppOptions } from '../../src/app.js'
import { openDocument } from '../../src/cli/document.js'
import { createKey } from '../../src/cli/keys.js'
import { readDocument } from '../../src/contract/document/document.js'
import type { Plan } from '../../src/domain/plans.js'
import type { Scope } from '../../src/domain/scopes.js'
import { openStorage, type Repositories, type Storage } from '../../src/storage/open.js'
import { TestClock } from './clock.js'
import { isOnPostgres } from './storage-under-test.js'

export const { source, document } = await openDocument(new URL('../..', import.meta.url))
export const types = readFileSync(new URL('../../generated/petstore.d.ts', import.meta.url), 'utf8')
export const guide = readFileSync(new URL('../../openapi/guide.md', import.meta.url), 'utf8')
const faultOfDocument = conformanceOf(document)

/** As the program is set, but that no limit of time or load refuses a request of a test on a busy machine. */
export const SETTINGS: AppOptions['settings'] = {
  ...PROGRAM_SETTINGS,
  timeLimits: { headers: 120_000, request: 120_000, handler: 120_000, untaken: 120_000, check: 1_000 },
  loadLimits: { wait: 120_000, underWay: 100_000 }
}

export interface Call {
  key?: string | undefined
  body?: unknown
  raw?: string | Uint8Array
  headers?: Record<string, string>
}
export interface Reply {
  status: number
  headers: Headers
  text: string
  json: any
}
export interface Service {
  app: FastifyInstance
  clock: TestClock
  repositories: Repositories
  lifecycle: { draining: boolean }
  /** `http://127.0.0.1:PORT` */
  root: string
  port: number
  /** The DATABASE_URL of its storage. */
  url: string
  /** A secret that may call as often as it likes. */
  key: string
  makeKey(options?: {
    plan?: Plan
    perMinute?: number
    perDay?: number
    scopes?: Scope[]
  }): Promise<{ id: string; secret: string }>
  /**
   * A request under the base path, with the key of the service unless told otherwise. The answer is checked against the
   * document.
   */
  call(method: string, path: string, call?: Call): Promise<Reply>
  /** The same for any path of the server. */
  fetch(method: string, path: string, call?: Call): Promise<Reply>
}

type Options = Partial<AppOptions['settings']> & {
  source?: string
  wrap?: (repositories: Repositories) => Repositories
  logger?: AppOptions['logger']
  ping?: AppOptions['ping']
}

/** Opens the storage under test: a SQLite file in the folder, or a database of its own on PostgreSQL, with Redis. */
async function openTestStorage (
  t: Test,
  folder: string,
  clock: TestClock
): Promise<{ storage: Storage; url: string }> {
  if (!isOnPostgres(t)) {
    const url = `sqlite:${join(folder, 'petstore.db')}`
    return { url, storage: await openStorage(url, { owner: true }) }
  }
  // Loaded here, so that the tests on SQLite start at once.
  const { migratedPostgres, sharedRedis } = await import('./databases.js')
  // As the CLI opens it, with two connections: ten for each of some hundred services would take most of the time of the
  // tests.
  const url = await migratedPostgres()
  const shared = { redisUrl: await sharedRedis(), clock, onChange: () => {} }
  return { url, storage: await openStorage(url, { owner: false, shared }) }
}

/**
 * The service as it runs in production, on a storage and a port of its own, with a clock that the test sets. Ends with
 * the test.
 */
export async function startService (
  t: Test,
  { source: text = source, wrap = (repositories) => repositories, logger = false, ping, ...settings }: Options = {}
): Promise<Service> {
  // Not t.testdir(), which is gone before the service closes and keeps its counts.
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'))
  const served = text === source ? document : await readDocument(text)
  const clock = new TestClock()
  const { storage, url } = await openTestStorage(t, folder, clock)
  t.teardown(async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  const repositories = wrap(storage.repositories)
  const { app, lifecycle, root, port } = await serveInProcess(t, {
    document: served,
    source: text,
    types,
    guide: text === source ? guide : undefined,
    storage,
    repositories,
    clock,
    ping,
    logger,
    settings: { ...SETTINGS, ...settings }
  })

  const makeKey: Service['makeKey'] = async ({ plan = 'free', ...more } = {}) => {
    const { key, secret } = await createKey(storage.repositories.apiKeys, { plan, name: 'test', ...more })
    return { id: key.id, secret }
  }
  const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 })

  const send = sendTo(root)
  const faultOf = served === document ? faultOfDocument : conformanceOf(served)
  const call: Service['call'] = async (method, path, options = {}) => {
    const reply = await send(method, `/v1${path}`, { key, ...options })
    const fault = faultOf(method, path, reply)
    if (fault) t.fail(`${method} ${path} answered ${reply.status}: ${fault}`, { found: reply.text })
    return reply
  }
  return { app, clock, repositories, lifecycle, root, port, url, key, makeKey, call, fetch: send }
}

/** Sends requests to a server and reads its answers as text and JSON. */
export function sendTo (root: string): Service['fetch'] {
  return async (method, path, { key: secret, body, raw, headers = {} } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(root + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(payload === undefined ? {} : { body: payload })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
