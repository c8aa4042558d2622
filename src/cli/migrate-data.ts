import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { isPostgresUrl, readConfig, sqlitePathOf } from '../config.js'
import { StartRefusal } from '../domain/start-refusal.js'
import { migrateRecords, type Progress } from '../storage/database/data-migration.js'
import { openDatabase, openMigrationTarget } from '../storage/database/open.js'
import { tableOf } from './table.js'

const number = (value: number): string => value.toLocaleString('en-US')

export function migrateDataCommand (): Command {
  return new Command('migrate-data')
    .description(
      'Copy all records from a SQLite file that no server has open into an empty PostgreSQL database, and compare both. Broken off, it goes on where it was.'
    )
    .requiredOption('--from <url>', 'sqlite:PATH')
    .option(
      '--to <url>',
      'postgres://…; without it DATABASE_URL is taken, which keeps the password off the command line'
    )
    .option('--json', 'print one JSON object on the last line')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://petstore:…@db.example/petstore petstore migrate-data --from sqlite:petstore.db'
    )
    .action(async ({ from, to, json }: { from: string; to?: string; json?: boolean }, command: Command) => {
      const path = sqlitePathOf(from)
      if (path === undefined) command.error('error: --from must be sqlite:PATH')
      // Not by an option parser, whose message would show the password.
      if (to !== undefined && !isPostgresUrl(to)) {
        command.error('error: --to must be postgres://USER:PASSWORD@HOST:PORT/DATABASE')
      }
      const target = to ?? readConfig(process.env).DATABASE_URL
      if (!isPostgresUrl(target)) {
        command.error('error: the target must be a PostgreSQL: give --to, or set DATABASE_URL')
      }
      if (!existsSync(path)) throw new StartRefusal(`There is no database at ${path}. Correct --from.`)
      await migrateData(from, target, json)
    })
}

async function migrateData (from: string, to: string, json = false): Promise<void> {
  // The owner, so that no server changes what is being copied.
  const source = await openDatabase(from, { owner: true })
  try {
    const target = await openMigrationTarget(to)
    try {
      const comparisons = await migrateRecords(source, target, process.stderr.isTTY ? onTerminal : inLines)
      const same = comparisons.every((comparison) => comparison.same)
      console.log(
        json
          ? JSON.stringify({ same, tables: comparisons })
          : `${tableOf(
              ['TABLE', 'ROWS', 'COMPARED'],
              comparisons.map(({ table, rows, same }) => [table, number(rows), same ? 'the same' : 'DIFFERENT'])
            )}\n`
      )
      if (!json && same) {
        console.log(
          'All records are there, under the same ids. Start the servers with this DATABASE_URL and a REDIS_URL.'
        )
      }
      if (same) return
      console.error(
        'petstore: the target is not the same as the source. Empty it, and make sure that nothing else writes to it, then begin anew.'
      )
      process.exitCode = 1
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const onTerminal: Progress = (table, done, rows, of) => {
  process.stderr.write(`\r\u001b[K${table}: ${number(rows)} of ${number(of)} ${done}${rows >= of ? '\n' : ''}`)
}

const inLines: Progress = (table, done, rows, of) => {
  if (rows >= of) console.error(`${table}: ${number(rows)} of ${number(of)} ${done}`)
}
