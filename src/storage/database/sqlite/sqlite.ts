import { StartRefusal } from '../../../domain/start-refusal.js'
import type { Database, Queries, Row, Run, Value } from '../database.js'
import { MIGRATIONS } from '../migrations.js'
import { connect, neverWait, pragma, Statements, type Connection } from './connection.js'
import { asFailure } from './failure.js'
import { asRefusal, ensureFile } from './file.js'
import { GroupCommit } from './group-commit.js'
import { own } from './owner.js'
import { RememberedReads } from './remembered-reads.js'
import { watchFiles } from './watched-files.js'
import { WriteProbe } from './write-probe.js'

/** How long a write may wait for a lock that another program holds, in milliseconds: the CLI has more time. */
const PATIENCE = { owner: 2_000, beside: 30_000 }

/**
 * Opens the database file, creating and migrating it where needed. A server is the one owner of its file; the CLI may
 * open it beside. Reads run at once on a connection of their own and never see what is not committed; writes share
 * commits ({@link GroupCommit}).
 * @throws {StartRefusal} when the file is damaged, of another program, newer, not writable or owned by another server
 */
export function openSqlite (path: string, { owner, anew = false }: { owner: boolean; anew?: boolean }): Database {
  ensureFile(path, { anew })
  let release = (): void => {}
  let writer: Connection | undefined
  try {
    writer = connect(path)
    if (owner) release = own(path, writer)
    migrate(writer)
    const reader = connect(path, { readOnly: true })
    neverWait(writer, reader)
    const check = watchFiles(path, writer)
    return new SqliteDatabase(path, writer, reader, release, check, owner ? PATIENCE.owner : PATIENCE.beside)
  } catch (error) {
    writer?.close()
    release()
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

function migrate (connection: Connection): void {
  const version = () => pragma(connection, 'user_version') as number
  while (version() < MIGRATIONS.length) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      const next = version()
      if (next < MIGRATIONS.length) connection.exec(`${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}`)
      connection.exec('COMMIT')
    } finally {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    }
  }
}

class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writes: Statements
  readonly #reads: Statements
  readonly #release: () => void
  readonly #check: () => void
  readonly #group: GroupCommit
  readonly #probe: WriteProbe
  readonly #remembered = new RememberedReads()
  /** The version of this turn of the event loop, once it was looked up. */
  #version: number | undefined

  constructor (
    path: string,
    writer: Connection,
    reader: Connection,
    release: () => void,
    check: () => void,
    patience: number
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#writes = new Statements(writer)
    this.#reads = new Statements(reader)
    this.#release = release
    this.#check = check
    this.#group = new GroupCommit(writer, { check, patience, onCommit: this.#forgetVersion })
    this.#probe = new WriteProbe(path, this.#group, (sql) => this.#writes.run(sql))
  }

  async read (sql: string, values: readonly Value[] = []): Promise<Row[]> {
    try {
      return this.#remembered.rowsOf(this.#currentVersion(), sql, values, () => this.#reads.read(sql, values))
    } catch (error) {
      throw asFailure(error)
    }
  }

  async write (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return await this.#group.add(async () => this.#writes.run(sql, values))
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const query: Run = async (sql, values) => this.#writes.run(sql, values)
    return await this.#group.add(() => work({ read: query, write: query }))
  }

  async ping (): Promise<{ writable: boolean }> {
    this.#check()
    try {
      this.#reads.read('SELECT id FROM api_keys LIMIT 1')
    } catch (error) {
      throw asFailure(error)
    }
    return { writable: await this.#probe.isWritable() }
  }

  async close (): Promise<void> {
    await this.#group.idle()
    if (!this.#writer.isOpen) return
    this.#reader.close()
    this.#writer.close()
    this.#release()
  }

  /**
   * A number that is another one once anybody has committed anything, this process or another (PRAGMA data_version, to
   * which the writer is another connection than the reader). It is looked up once in a turn of the event loop, and
   * again after a commit of this process.
   */
  #currentVersion (): number {
    if (this.#version === undefined) {
      this.#version = this.#reads.read('PRAGMA data_version')[0]!.data_version as number
      setImmediate(this.#forgetVersion)
    }
    return this.#version
  }

  readonly #forgetVersion = (): void => {
    this.#version = undefined
  }
}
