import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { isPostgresUrl, readConfig, sqlitePathOf } from '../../config.js'
import { StartRefusal } from '../../domain/start-refusal.js'
import { migrateRecords, type Progress as OnProgress, type Comparison } from '../../storage/database/data-migration.js'
import { openDatabase, openMigrationTarget } from '../../storage/database/open.js'
import { CommandFailure } from '../command-failure.js'
import type { Context, Output } from '../context.js'
import { JSON_HELP } from '../terminal/json-command.js'
import { progressOn } from '../terminal/progress.js'
import { settingsHelp } from '../terminal/settings-help.js'
import { tableOf } from '../terminal/table.js'

/** `petstore migrate-data`: moves the records of one server to the database that several share. */
export function migrateDataCommand ({ env, out }: Context): Command {
  return new Command('migrate-data')
    .description(
      'Copy all records from a SQLite file that no server has open into an empty PostgreSQL database, ' +
        'and compare both. Broken off, it goes on where it was.'
    )
    .requiredOption('--from <url>', 'sqlite:PATH')
    .option(
      '--to <url>',
      'postgres://…; without it DATABASE_URL is taken, which keeps the password off the command line'
    )
    .option('--json', JSON_HELP)
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://petstore:…@db.example/petstore ' +
        'petstore migrate-data --from sqlite:petstore.db'
    )
    .action(async ({ from, to, json }: { from: string; to?: string; json?: boolean }, command: Command) => {
      const path = sqlitePathOf(from)
      if (path === undefined) command.error('error: --from must be sqlite:PATH')
      // Not by an option parser, whose message would show the password.
      if (to !== undefined && !isPostgresUrl(to)) {
        command.error('error: --to must be postgres://USER:PASSWORD@HOST:PORT/DATABASE')
      }
      const target = to ?? readConfig(env).DATABASE_URL
      if (!isPostgresUrl(target)) {
        command.error('error: the target must be a PostgreSQL: give --to, or set DATABASE_URL')
      }
      if (!existsSync(path)) throw new StartRefusal(`There is no database at ${path}. Correct --from.`)
      const comparisons = await migrateData(from, target, out)
      const same = comparisons.every((comparison) => comparison.same)
      out.stdout.write(`${json ? JSON.stringify({ same, tables: comparisons }) : reportOf(comparisons, same)}\n`)
      if (!same) {
        throw new CommandFailure(
          'The target is not the same as the source. ' +
            'Empty it, and make sure that nothing else writes to it, then begin anew.'
        )
      }
    })
}

async function migrateData (from: string, to: string, out: Output): Promise<Comparison[]> {
  const progress = progressOn(out)
  // The owner, so that no server changes what is being copied.
  const source = await openDatabase(from, { owner: true, create: false })
  try {
    const target = await progress.during('Opening the target', () => openMigrationTarget(to))
    try {
      return await migrateRecords(source, target, tellProgress(out))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Tells how far each table is: on a terminal as it goes on, elsewhere once it is done. */
function tellProgress (out: Output): OnProgress {
  const progress = progressOn(out)
  return (table, done, rows, of) => {
    const line = `${table}: ${formatted(rows)} of ${formatted(of)} ${done}`
    progress.show(line)
    if (rows < of) return
    progress.clear()
    out.stderr.write(`${line}\n`)
  }
}

function reportOf (comparisons: Comparison[], same: boolean): string {
  const table = tableOf(
    ['TABLE', 'ROWS', 'COMPARED'],
    comparisons.map(({ table, rows, same }) => [table, formatted(rows), same ? 'the same' : 'DIFFERENT'])
  )
  const next = 'All records are there, under the same ids. Start the servers with this DATABASE_URL and a REDIS_URL.'
  return same ? `${table}\n\n${next}` : `${table}\n`
}

function formatted (value: number): string {
  return value.toLocaleString('en-US')
}
