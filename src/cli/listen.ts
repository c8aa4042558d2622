import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'
import { EXIT_CONFIGURATION, EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'

/**
 * How many connections may wait to be accepted; the system may allow fewer. Node accepts one in a turn of its event
 * loop, and the system drops what finds no room, so that a client tries again after a second or more.
 */
const BACKLOG = 4_096

/**
 * Listens where the configuration says, and gives the address for a person to open: `http://127.0.0.1:3000`.
 * @throws {StartRefusal} when the port or the address cannot be had
 */
export async function listen (app: FastifyInstance, { HOST: host, PORT: port }: Config): Promise<string> {
  await refuseTaken({ host, port, settings: ['HOST', 'PORT'] }, () =>
    app.listen({ host, port, backlog: BACKLOG })
  )
  return urlOf(app.server, host)
}

/**
 * Listens for those who read the metrics, and gives the address of these.
 * @throws {StartRefusal} when the port or the address cannot be had
 */
export async function listenForMetrics (server: Server, host: string, port: number): Promise<string> {
  await refuseTaken({ host, port, settings: ['METRICS_HOST', 'METRICS_PORT'] }, async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port }, resolve)
    })
  })
  return `${urlOf(server, host)}/metrics`
}

interface Place {
  host: string
  port: number
  /** The names of the settings that say so. */
  settings: [host: string, port: string]
}

async function refuseTaken ({ host, port, settings }: Place, listen: () => Promise<unknown>): Promise<void> {
  const [hostName, portName] = settings
  try {
    await listen()
  } catch (error) {
    const { code, syscall = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefusal(
        `Port ${port} on ${host} is in use by another program. Stop it, or set ${portName}.`,
        EXIT_TEMPORARY
      )
    }
    if (['listen', 'bind', 'getaddrinfo'].includes(syscall)) {
      throw new StartRefusal(
        `Cannot listen on ${host}, port ${port}: ${code}. Correct ${hostName} or ${portName}.`,
        EXIT_CONFIGURATION
      )
    }
    throw error
  }
}

function urlOf (server: Server, host: string): string {
  return `http://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`
}

/** Gives the host as it stands in a URL; one that stands for every interface is reached as localhost. */
function hostInUrl (host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
