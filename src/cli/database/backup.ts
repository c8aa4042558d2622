import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { StartRefusal } from '../../domain/start-refusal.js'
import { backUp, BackupExists } from '../../storage/database/sqlite/backup.js'
import { CommandFailure } from '../command-failure.js'
import type { Context } from '../context.js'
import { EXIT_INTERRUPTED, exitOnSignals } from '../stop.js'
import { parsePositiveInteger } from '../terminal/arguments.js'
import { escapeInvisible } from '../terminal/invisible.js'
import { jsonCommand } from '../terminal/json-command.js'
import { progressOn } from '../terminal/progress.js'
import { settingsHelp } from '../terminal/settings-help.js'
import { rowsText, sizeText, sqliteFileOf } from './sqlite-file.js'

const POSTGRES_SENTENCE =
  'The records are in PostgreSQL. Back it up with pg_dump, while the servers run: ' +
  'pg_dump --format=custom --file=FILE "$DATABASE_URL"'

interface Options {
  force?: boolean
  keep?: number
  json?: boolean
}

/** `petstore backup`: copies the database of a running server. */
export function backupCommand (context: Context): Command {
  return jsonCommand('backup', 'Copy the SQLite database into a file, while the server runs, and verify the copy.')
    .argument('<file>', 'where to, or a folder that exists: the file gets a name with the time there')
    .option('--force', 'write over a file that is there')
    .option('--keep <n>', 'keep the newest n backups in the folder, and remove older ones', parsePositiveInteger)
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
    .addHelpText('after', '\nExamples:\n  petstore backup petstore-backup.db\n  petstore backup /var/backups/petstore --keep 14')
    .action((target: string, options: Options, command: Command) => makeBackup(context, target, options, command))
}

async function makeBackup (
  { env, out, clock }: Context,
  target: string,
  { force = false, keep, json }: Options,
  command: Command
): Promise<void> {
  const path = sqliteFileOf(readConfig(env).DATABASE_URL, POSTGRES_SENTENCE)
  const isFolder = existsSync(target) && statSync(target).isDirectory()
  if (!isFolder && keep !== undefined) command.error(`error: --keep needs a folder that exists, and ${target} is none`)
  if (!isFolder && /(^|\/)$/.test(target)) throw new StartRefusal(`There is no folder '${target}'. Choose another.`)
  const name = nameAt(clock.now())
  const file = isFolder ? join(target, name) : target
  giveWay()
  const progress = progressOn(out)
  try {
    const { bytes, rows } = await backUp(path, file, {
      replace: force,
      onProgress: (part) => progress.show(part < 1 ? `${Math.floor(part * 100)} % copied` : 'Verifying the copy')
    }).finally(progress.clear)
    const removed = keep === undefined ? [] : removeOlder(target, keep, name)
    const text = `Wrote ${file} (${sizeText(bytes)}): ${rowsText(rows)}${removedText(removed)}`
    const shown = json ? JSON.stringify({ file, bytes, tables: rows, removed }) : text
    out.stdout.write(`${escapeInvisible(shown)}\n`)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall) throw new StartRefusal(`The backup ${file} cannot be written (${code}). Choose another place.`)
    if (!(error instanceof BackupExists)) throw error
    throw new CommandFailure(`The file ${file} exists already. Choose another name, or add --force.`)
  }
}

/** The threads of this process, on Linux. */
const THREADS = '/proc/self/task'

/**
 * Lets all other programs go first, and leaves no half of a file behind when it is interrupted. On Linux each thread
 * has a priority of its own, and those that copy are there already; later ones get that of this thread.
 */
function giveWay (): void {
  exitOnSignals(EXIT_INTERRUPTED)
  const threads = existsSync(THREADS) ? readdirSync(THREADS) : [String(process.pid)]
  for (const thread of threads) lowerPriority(Number(thread))
  // Even the lowest priority may delay others by a turn of the processor or a queue of the disk. The idle classes of
  // Linux may not; without these programs of util-linux the low priority is all there is.
  spawnSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)], { stdio: 'ignore' })
  spawnSync('ionice', ['--class', 'idle', '--pid', ...threads], { stdio: 'ignore' })
}

/** Lowers the priority of a thread, unless a sandbox forbids it: a backup in haste is better than none. */
function lowerPriority (thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {}
}

/** Returns the name of a backup in a folder of them: the instant at which it began. */
function nameAt (time: number): string {
  return `petstore-${new Date(time).toISOString().replaceAll(':', '-')}.db`
}

/** Whether {@link nameAt} returns this name for some instant. */
function isDated (name: string): boolean {
  const time = Date.parse(name.slice('petstore-'.length, -'.db'.length).replace(/-(\d\d)-(\d\d\.\d+Z)$/, ':$1:$2'))
  return !Number.isNaN(time) && nameAt(time) === name
}

/**
 * Removes all but the newest backups of a folder, and returns their names. Regular files with the name of a backup
 * count, unless they are dated later than the one just made: the clock was wrong, then or now, so they stay.
 * @throws {CommandFailure} when one cannot be removed
 */
function removeOlder (folder: string, keep: number, made: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    const others = files.map(({ name }) => name).filter((name) => isDated(name) && name < made).sort()
    const older = others.slice(0, Math.max(0, others.length - (keep - 1)))
    for (const name of older) rmSync(join(folder, name), { force: true })
    return older
  } catch (error) {
    throw new CommandFailure(`Wrote ${made}, but could not remove older backups: ${(error as Error).message}`)
  }
}

function removedText ({ length }: string[]): string {
  return length === 0 ? '' : `\nRemoved ${length} older backup${length === 1 ? '' : 's'}.`
}
