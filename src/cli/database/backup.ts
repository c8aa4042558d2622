import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { backUp, BackupExists } from '../../storage/database/sqlite/backup.js'
import type { Context } from '../context.js'
import { EXIT_INTERRUPTED, exitOnSignals } from '../stop.js'
import { parsePositiveInteger } from '../terminal/arguments.js'
import { jsonCommand } from '../terminal/json-command.js'
import { progressOn } from '../terminal/progress.js'
import { settingsHelp } from '../terminal/settings-help.js'
import { rowsText, sizeText, sqliteFileOf } from './sqlite-file.js'

const POSTGRES_SENTENCE =
  'The records are in PostgreSQL. Back it up with pg_dump, while the servers run: ' +
  'pg_dump --format=custom --file=FILE "$DATABASE_URL"'

/** The name of a backup in a folder of them: the instant at which it began. */
const DATED = /^petstore-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/

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
  if (!isFolder && target.endsWith('/')) command.error(`error: there is no folder ${target}`)
  const name = `petstore-${new Date(clock.now()).toISOString().replaceAll(':', '-')}.db`
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
    out.stdout.write(`${json ? JSON.stringify({ file, bytes, tables: rows, removed }) : text}\n`)
  } catch (error) {
    if (!(error instanceof BackupExists)) throw error
    command.error(`error: ${file} is there already. Choose another name, or add --force.`)
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

/**
 * Removes all but the newest backups of a folder, and gives the names of those that are gone. The one that was just
 * made stays, also where a clock that was set back calls it older than others.
 */
function removeOlder (folder: string, keep: number, made: string): string[] {
  const others = readdirSync(folder).filter((name) => DATED.test(name) && name !== made).sort()
  const older = others.slice(0, Math.max(0, others.length - (keep - 1)))
  for (const name of older) rmSync(join(folder, name))
  return older
}

function removedText ({ length }: string[]): string {
  return length === 0 ? '' : `\nRemoved ${length} older backup${length === 1 ? '' : 's'}.`
}
