import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { restore } from '../../storage/database/sqlite/restore.js'
import type { Context } from '../context.js'
import { EXIT_INTERRUPTED, exitOnSignals } from '../stop.js'
import { escapeInvisible } from '../terminal/invisible.js'
import { jsonCommand } from '../terminal/json-command.js'
import { progressOn } from '../terminal/progress.js'
import { settingsHelp } from '../terminal/settings-help.js'
import { rowsText, sqliteFileOf } from './sqlite-file.js'

const POSTGRES_SENTENCE =
  'The records are in PostgreSQL. Restore it with pg_restore, while no server runs: ' +
  'pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" FILE'

/** `petstore restore`: puts a backup in the place of the database. */
export function restoreCommand ({ env, out, clock }: Context): Command {
  return jsonCommand(
    'restore',
    'Put a backup in the place of the SQLite database, which no server may have open. ' +
      'The database of before is kept beside it.'
  )
    .argument('<file>', 'a file that backup has written, or another whole copy')
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
    .addHelpText('after', '\nExample:\n  petstore restore petstore-backup.db')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const path = sqliteFileOf(readConfig(env).DATABASE_URL, POSTGRES_SENTENCE)
      exitOnSignals(EXIT_INTERRUPTED)
      const work = async () => restore(file, path, new Date(clock.now()))
      const { rows, before } = await progressOn(out).during('Copying and verifying the backup', work)
      const kept = before === undefined ? '' : `The database of before is kept as ${before}.\n`
      const text =
        `Restored ${path} from ${file}: ${rowsText(rows)}\n${kept}` +
        'Keys are as they were then: revoke again those that were revoked since.'
      const shown = json ? JSON.stringify({ file: path, tables: rows, before: before ?? null }) : text
      out.stdout.write(`${escapeInvisible(shown)}\n`)
    })
}
