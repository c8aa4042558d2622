import { StartRefusal } from '../../../domain/start-refusal.js'
import type { StorageObserver } from '../../../domain/storage/observer.js'
import type { Database, LocalDatabase, Queries, Row, Run, Value } from '../database.js'
import { Changes } from './changes.js'
import { connect, neverWait, Statements, type Connection } from './connection.js'
import { asRefusal, orFailure } from './failure.js'
import { ensureFile, type FileUse } from './file.js'
import { GroupCommit } from './group-commit.js'
import { checkpoint, markRestorer, needsLog } from './log.js'
import { own } from './owner.js'
import { migrate } from './schema.js'
import { watchFiles } from './watched-files.js'
import { WriteProbe } from './write-probe.js'

/** How long a write may wait for a lock that another program holds, in milliseconds: the CLI has more time. */
const PATIENCE = { owner: 2_000, beside: 30_000 }

/**
 * Opens the database file and migrates it where needed. A server is the one owner of its file; the CLI may open it
 * beside. Reads run at once on a connection of their own and never see what is not committed; writes share
 * commits ({@link GroupCommit}).
 * @throws {StartRefusal} when the file is damaged, of another program, newer, not writable or owned by another server
 */
export function openSqlite (
  path: string,
  { owner, create = owner, anew, observer }: FileUse & { owner: boolean; observer?: StorageObserver | undefined }
): Database {
  ensureFile(path, { owner, create, anew })
  let release = (): void => {}
  let writer: Connection | undefined
  try {
    writer = connect(path)
    if (owner) release = own(path, writer)
    // A server was killed in a checkpoint. It must end before SQLite deletes the log on closing.
    else if (needsLog(writer)) checkpoint(writer)
    migrate(writer)
    const reader = connect(path, { readOnly: true })
    neverWait(writer, reader)
    return new SqliteDatabase(path, writer, reader, { owner, release, check: watchFiles(path, writer), observer })
  } catch (error) {
    release()
    writer?.close()
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

interface Ownership {
  /** Whether this process is the server of the file. */
  owner: boolean
  /** Gives the file up. */
  release: () => void
  /** Throws when the file is not the one any more that was opened. */
  check: () => void
  observer?: StorageObserver | undefined
}

class SqliteDatabase implements Database {
  readonly local: LocalDatabase | undefined
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #writes: Statements
  readonly #reads: Statements
  readonly #release: () => void
  readonly #check: () => void
  readonly #group: GroupCommit
  readonly #probe: WriteProbe

  constructor (path: string, writer: Connection, reader: Connection, { owner, release, check, observer }: Ownership) {
    this.#writer = writer
    this.#reader = reader
    this.#writes = new Statements(writer)
    this.#reads = new Statements(reader)
    this.#release = release
    this.#check = check
    const changes = owner ? new Changes(writer) : undefined
    const patience = owner ? PATIENCE.owner : PATIENCE.beside
    const restoreMark = markRestorer(path, writer)
    const onCommit = (): void => {
      changes?.publish()
      restoreMark()
    }
    this.#group = new GroupCommit(writer, { check, patience, observer, onCommit })
    this.#probe = new WriteProbe(path, this.#group, (sql) => this.#writes.run(sql))
    this.local = changes && { watch: (table) => changes.watch(table) }
  }

  async read (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return orFailure(() => this.#reads.read(sql, values))
  }

  write (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#group.addStatement(() => this.#writes.run(sql, values))
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const query: Run = async (sql, values) => this.#writes.run(sql, values)
    return await this.#group.add(() => work({ read: query, write: query }))
  }

  async ping (): Promise<{ writable: boolean }> {
    this.#check()
    orFailure(() => this.#reads.read('SELECT id FROM api_keys LIMIT 1'))
    return { writable: await this.#probe.isWritable() }
  }

  async close (): Promise<void> {
    await this.#group.idle()
    if (!this.#writer.isOpen) return
    this.#reader.close()
    this.#release()
    this.#writer.close()
  }
}
