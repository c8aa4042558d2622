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
const basebackup = programAt('pg_basebackup', folders)

/** Says that PostgreSQL is missing on this machine; undefined when it is there. */
export const missingPostgres = initdb && postgres ? undefined : 'PostgreSQL is not installed'

/** The password in the URL of each database, so that a test can look for it where it must not be. */
export const PASSWORD = 'hunter2-postgres'

/** A PostgreSQL that runs on this machine. */
export interface PostgresServer {
  server: Server
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>
}

/**
 * Starts an empty PostgreSQL, or a standby of another one, with further settings such as `log_statement=all`. Only a
 * durable one waits for the disk at each commit, as in production.
 */
export async function startPostgres ({
  durable = false,
  settings: further = [],
  primary
}: { durable?: boolean; settings?: string[]; primary?: PostgresServer } = {}): Promise<PostgresServer> {
  const urlOf = (port: number, database: string): string =>
    `postgres://petstore:${PASSWORD}@127.0.0.1:${port}/${database}`
  const server = await Server.start({
    prepare (folder) {
      const data = `--pgdata=${join(folder, 'data')}`
      const make = (program: string, ...args: string[]) =>
        execFileSync(program, [data, ...args], { cwd: folder, stdio: 'pipe', ...ordinaryUser })
      const passwordFile = join(folder, 'password')
      writeFileSync(passwordFile, PASSWORD)
      // PostgreSQL refuses to run as root.
      for (const path of [folder, passwordFile]) {
        if (ordinaryUser.uid !== undefined) chownSync(path, ordinaryUser.uid, ordinaryUser.gid!)
      }
      if (primary) {
        const source = `--dbname=${urlOf(primary.server.port, 'postgres')}`
        make(basebackup!, source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync')
        return
      }
      const options = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync', '--encoding=UTF8', '--locale=C']
      make(initdb!, '--username=petstore', ...options)
    },
    command (folder, port) {
      const settings = [
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'max_connections=400',
        ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
        ...further
      ]
      return launch(postgres!, ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])], {
        cwd: folder,
        ...ordinaryUser
      })
    },
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

/** Runs one statement over a connection of its own and gives its rows. */
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

/** Finds the names that more than one stored pet has. */
export async function namesStoredTwice (url: string): Promise<string[]> {
  return (await ask(url, 'SELECT name FROM pets GROUP BY name HAVING count(*) > 1')).map(({ name }) => name as string)
}
