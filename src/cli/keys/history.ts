import type { Command } from 'commander'
import type { KeyChange, KeyFields } from '../../domain/api-keys/history.js'
import type { Context } from '../context.js'
import { second } from '../terminal/key-text.js'
import { tableOrRecords } from '../terminal/table.js'
import { withStorage } from '../with-storage.js'
import { found, keyCommand } from './key-command.js'

/** `petstore keys history` */
export function history (context: Context): Command {
  return keyCommand('history', 'Show every change of a key: when, by whom, what from and to.')
    .action((id: string, { json }: { json?: boolean }) =>
      withStorage(context, async ({ apiKeys, keyHistory }) => {
        const { name } = found(await apiKeys.find(id), id)
        const changes = await keyHistory.changesOf(id)
        if (json) return JSON.stringify({ id, name, changes })
        return historyText(`${id} (${name})`, changes, context.out.stdout.columns)
      })
    )
}

function historyText (key: string, changes: KeyChange[], columns?: number): string {
  if (changes.length === 0) return `No change of ${key} is kept: it was made by a version that kept none.`
  return tableOrRecords(
    ['WHEN', 'BY', 'CHANGE', 'FROM', 'TO'],
    changes.map(({ at, by, action, from, to }) =>
      [second(at.toISOString()), by, action, fieldsText(from), fieldsText(to)]
    ),
    columns
  )
}

/** `plan free, perMinute 60` */
function fieldsText (fields: KeyFields): string {
  const all = Object.entries(fields)
  // Of a new key, which has many fields, those that say something.
  const shown = all.length === 1 ? all : all.filter(([, value]) => value !== null)
  return shown.map(([name, value]) => `${name} ${valueText(value)}`).join(', ')
}

function valueText (value: KeyFields[string]): string {
  if (Array.isArray(value)) return value.join(' ')
  return value === null ? 'none' : String(value)
}
