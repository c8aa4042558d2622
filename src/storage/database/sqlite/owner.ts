import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'
import type { Connection } from './connection.js'
import { asRefusal, temporaryCode } from './failure.js'
import { checkpoint } from './log.js'

/** The database files that this process owns, by device and inode. */
const owned = new Set<string>()

/**
 * The table with the one row of the owner: `needs_log` is the mark of {@link checkpoint}, `probe` is what {@link
 * WriteProbe} writes.
 */
const OWNER = `CREATE TABLE IF NOT EXISTS owner (
  pid INTEGER NOT NULL, process TEXT NOT NULL, file TEXT NOT NULL, needs_log INTEGER, probe BLOB
) STRICT`
/** The identity of a process on a system that does not tell. */
const UNKNOWN = ''

/**
 * Makes this process the owner of a database file, until the process ends, however it ends, or the returned function is
 * called, while the connection is still open. Two things tell who owns it: a record in the file itself, which names the
 * process, and a lock on a file beside it, which also holds between containers, where processes have other numbers.
 * @throws {StartRefusal} when another process owns it
 */
export function own (path: string, connection: Connection): () => void {
  const { dev, ino } = statSync(path)
  const release = holdLock(path)
  const file = `${dev}:${ino}`
  try {
    record(path, connection, file)
  } catch (error) {
    release()
    throw error
  }
  owned.add(file)
  return () => {
    owned.delete(file)
    try {
      connection.exec('DELETE FROM owner')
    } catch {
      // On a full disk the record stays, and holds as long as this process.
    }
    release()
  }
}

/** Writes into the database that this process owns its file; a copy of the file is another file. */
function record (path: string, connection: Connection, file: string): void {
  const self = identityOf(process.pid) ?? UNKNOWN
  connection.exec('BEGIN IMMEDIATE')
  try {
    connection.exec(OWNER)
    refuseOwned(path, connection)
    // It may be that of an earlier version, with fewer columns.
    connection.exec(`DROP TABLE owner; ${OWNER}`)
    connection.prepare('INSERT INTO owner (pid, process, file) VALUES (?, ?, ?)').run(process.pid, self, file)
    connection.exec('COMMIT')
    // From the log into the file, where it is read by whatever name the file is opened: the log is found by the name.
    checkpoint(connection)
  } finally {
    if (connection.isTransaction) connection.exec('ROLLBACK')
  }
}

/**
 * Makes sure that the record in a database file names no other server that is running.
 * @throws {StartRefusal} when it does
 */
export function refuseOwned (path: string, connection: Connection): void {
  const { dev, ino } = statSync(path)
  const file = `${dev}:${ino}`
  const before = connection.prepare('SELECT pid, process FROM owner WHERE file = ?').get(file)
  if (!before || before.process !== identityOf(before.pid)) return
  const isOther = before.process !== (identityOf(process.pid) ?? UNKNOWN)
  if (isOther || owned.has(file)) throw ownedBy(path, before.pid)
}

/**
 * Gives what no other process is called that this one can see: numbers of processes are used again. Undefined for one
 * that has ended, and on systems without /proc.
 */
function identityOf (pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may hold anything; behind it stand the state and, 19 fields on, the
    // start (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (/^[ZX]/.test(fields[0]!)) return undefined
    return [boot, readlinkSync('/proc/self/ns/pid'), pid, fields[19]].join(' ')
  } catch {
    return undefined
  }
}

/**
 * Holds the lock on the file beside a database, until the process ends or the returned function is called.
 * @throws {StartRefusal} when another process holds it
 */
export function holdLock (path: string): () => void {
  const lockPath = `${existsSync(path) ? realpathSync(path) : path}.lock`
  let lock: Connection | undefined
  try {
    if (!existsSync(lockPath)) closeSync(openSync(lockPath, 'a', 0o600))
    lock = new DatabaseSync(lockPath, { timeout: 0 })
    lock.exec(`PRAGMA user_version = ${process.pid}`)
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (!/BUSY|LOCKED/.test(temporaryCode(error) ?? '')) throw asRefusal(lockPath, error)
    throw ownedBy(path, holderOf(lockPath))
  }
  return () => lock.close()
}

/**
 * The process id of its holder stands in the lock file's header as user_version (bytes 60 to 63), where it can be read
 * past the lock.
 */
function holderOf (lockPath: string): number | string {
  const header = Buffer.alloc(4)
  const file = openSync(lockPath, 'r')
  try {
    return readSync(file, header, 0, 4, 60) === 4 ? header.readUInt32BE() : 'unknown'
  } finally {
    closeSync(file)
  }
}

function ownedBy (path: string, pid: number | string): StartRefusal {
  return new StartRefusal(
    `The database ${path} is in use by another server (process ${pid}). Stop it first, or give this one a DATABASE_URL of its own.`,
    EXIT_TEMPORARY
  )
}
