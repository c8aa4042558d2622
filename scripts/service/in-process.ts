import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, type AppOptions } from '../../src/app.js'
import { readDocument } from '../../src/contract/document/document.js'
import type { Storage } from '../../src/storage/open.js'
import type { Lifetime } from '../command/lifetime.js'

/** The document of the service, its text, the TypeScript types that were made of it, and the guide. */
export type Contract = Pick<AppOptions, 'document' | 'source' | 'types' | 'guide'>

/** What the service is built from. */
export interface ServiceOptions extends Contract, Pick<AppOptions, 'clock' | 'metrics'> {
  storage: Storage
  /** Other repositories than those of the storage. */
  repositories?: AppOptions['repositories']
  /** Another answer to whether the database answers than that of the storage. */
  ping?: AppOptions['ping'] | undefined
  logger?: AppOptions['logger']
  settings?: Partial<AppOptions['settings']>
}

/** A service that listens. */
export interface ListeningService {
  app: FastifyInstance
  lifecycle: { draining: boolean }
  /** `http://127.0.0.1:PORT` */
  root: string
  port: number
}

/** What the program is set to when nobody configures it, but for the log. */
export const SETTINGS: AppOptions['settings'] = {
  corsOrigin: '*',
  docs: true,
  enforceSunset: false,
  experimental: true,
  keepAliveTimeout: 60_000,
  maxConnections: 10_000,
  trustProxy: []
}

/**
 * How many connections may wait to be accepted. Clients in the same process open a thousand in one turn of the event
 * loop, and the system resets those that find no room.
 */
const BACKLOG = 4_096

/** Reads the document of the service and the guide from openapi/, and its types from generated/. */
export async function readContract (): Promise<Contract> {
  const [source, types, guide] = await Promise.all(
    ['openapi/petstore.yaml', 'generated/petstore.d.ts', 'openapi/guide.md'].map((path) =>
      readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
    )
  )
  return { document: await readDocument(source!), source: source!, types: types!, guide: guide! }
}

/** Runs the service in this process, as the program does, on a free port of this machine, until the lifetime ends. */
export async function serveInProcess (
  lifetime: Lifetime,
  {
    storage,
    repositories = storage.repositories,
    ping = storage.ping,
    logger = false,
    settings = {},
    ...rest
  }: ServiceOptions
): Promise<ListeningService> {
  const lifecycle = { draining: false }
  const app = await buildApp({
    ...rest,
    repositories,
    lifecycle,
    ping,
    degraded: storage.degraded,
    logger,
    settings: { ...SETTINGS, ...settings }
  })
  await app.listen({ host: '127.0.0.1', port: 0, backlog: BACKLOG })
  lifetime.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return { app, lifecycle, root: `http://127.0.0.1:${port}`, port }
}
