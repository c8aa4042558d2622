import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { launch, programAt, Server } from './server.js'
import { ordinaryUser } from './user.js'

/** Where Debian keeps the programs of each version, outside of PATH. */
const DEBIAN = '/usr/lib/postgresql'
const folders = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, 'bin'))
  : []
const initdb = programAt('initdb', folders)
const postgres = programAt('postgres', folders)

/** Why no PostgreSQL can be started here; undefined when one can. */
export const postgresLack = initdb && postgres ? undefined : 'PostgreSQL is not installed'

/** Part of the URL, so that a test can look for it where it must not be. */
export const PASSWORD = 'hunter2-postgres'

export interface PostgresServer {
  server: Server
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>
}

/** Starts a PostgreSQL with nothing in it. Only a durable one waits for the disk, as all do in production. */
export async function startPostgres ({ durable = false } = {}): Promise<PostgresServer> {
  const urlOf = (port: number, database: string): string =>
    `postgres://petstore:${PASSWORD}@127.0.0.1:${port}/${database}`
  const server = await Server.start({
    prepare (folder) {
      const passwordFile = join(folder, 'password')
      writeFileSync(passwordFile, PASSWORD)
      // PostgreSQL refuses to run as root.
      for (const path of [folder, passwordFile]) {
        if (ordinaryUser.uid !== undefined) chownSync(path, ordinaryUser.uid, ordinaryUser.gid!)
      }
      execFileSync(
        initdb!,
        [
          '-D',
          join(folder, 'data'),
          '-U',
          'petstore',
          '--auth=scram-sha-256',
          `--pwfile=${passwordFile}`,
          '--no-sync',
          '-E',
          'UTF8',
          '--locale=C'
        ],
        { cwd: folder, stdio: 'pipe', ...ordinaryUser }
      )
    },
    command: (folder, port) =>
      launch(
        postgres!,
        [
          '-D',
          join(folder, 'data'),
          '-p',
          String(port),
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
          '-c',
          'max_connections=400',
          ...(durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off'])
        ],
        { cwd: folder, ...ordinaryUser }
      ),
    ready: (port) => ask(urlOf(port, 'postgres'), 'SELECT 1')
  })
  let made = 0
  return {
    server,
    async createDatabase () {
      const name = `petstore_${++made}`
      await ask(urlOf(server.port, 'postgres'), `CREATE DATABASE ${name}`)
      return urlOf(server.port, name)
    }
  }
}

/** One statement over a connection of its own. */
export async function ask (url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
