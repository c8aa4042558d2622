import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.js'
import { EXIT_CONFIGURATION, EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'

/**
 * Listens, and gives the address for a person to open: `http://127.0.0.1:3000`.
 * @throws {StartRefusal} when the port or the address cannot be had
 */
export async function listen (app: FastifyInstance, { HOST: host, PORT: port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, syscall = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefusal(
        `Port ${port} on ${host} is in use by another program. Stop it, or set PORT.`,
        EXIT_TEMPORARY
      )
    }
    if (['listen', 'bind', 'getaddrinfo'].includes(syscall)) {
      throw new StartRefusal(
        `Cannot listen on ${host}, port ${port}: ${code}. Correct HOST or PORT.`,
        EXIT_CONFIGURATION
      )
    }
    throw error
  }
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${(app.server.address() as AddressInfo).port}`
}
