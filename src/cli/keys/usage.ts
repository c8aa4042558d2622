import { InvalidArgumentError, Option, type Command } from 'commander'
import { ANSWER_KINDS, everyDay, KEPT_DAYS, type DayOfUsage } from '../../domain/api-keys/daily-usage.js'
import { DAY, windowStart } from '../../domain/windows.js'
import type { Context } from '../context.js'
import { chartOf } from '../terminal/chart.js'
import { withStorage, gatherUsage } from '../with-storage.js'
import { found, keyCommand } from './key-command.js'

interface Options {
  days: number
  json?: boolean
  csv?: boolean
}

/** `petstore keys usage` */
export function usage (context: Context): Command {
  const days = new Option('--days <n>', `how many days, today included (at most ${KEPT_DAYS})`)
  const csv = new Option('--csv', 'print a line for each day, with commas between the values').conflicts('json')
  return keyCommand('usage', 'Show how the requests of a key were answered, day by day (UTC).')
    .addOption(days.argParser(parseDays).default(30))
    .addOption(csv)
    .addHelpText('after', '\nExamples:\n  petstore keys usage key_… --days 90\n  petstore keys usage key_… --csv > usage.csv')
    .action((id: string, { days, json, csv }: Options) =>
      withStorage(context, async (repositories, progress) => {
        const { name } = found(await repositories.apiKeys.find(id), id)
        await gatherUsage(repositories, context, progress)
        const today = windowStart(context.clock.now(), DAY)
        const counted = await repositories.dailyUsage.daysFrom(id, today - (days - 1) * DAY)
        const all = everyDay(counted, today, days)
        if (json) return JSON.stringify({ id, name, days: all.map(viewOf) })
        return csv ? csvOf(all) : usageText(`${id} (${name})`, all, context.out.stdout.columns)
      })
    )
}

function usageText (key: string, days: DayOfUsage[], columns: number | undefined): string {
  const total = days.reduce((sum, entry) => sum + totalOf(entry), 0)
  const period = days.length === 1 ? 'today' : `in ${days.length} days`
  const rows = days.map((entry) => {
    const counts = ANSWER_KINDS.map((kind) => entry.answers[kind])
    return [dateOf(entry.day), totalOf(entry), ...counts]
  })
  const chart = chartOf(['DAY', 'ALL', ...ANSWER_KINDS], rows, days.map(totalOf), columns)
  return `${key}: ${total.toLocaleString('en-US')} requests ${period}\n\n${chart}`
}

function viewOf ({ day, answers }: DayOfUsage): object {
  return { day: dateOf(day), ...answers }
}

function csvOf (days: DayOfUsage[]): string {
  const lines = days.map(({ day, answers }) => [dateOf(day), ...ANSWER_KINDS.map((kind) => answers[kind])].join(','))
  return [['day', ...ANSWER_KINDS].join(','), ...lines].join('\n')
}

function totalOf ({ answers }: DayOfUsage): number {
  return ANSWER_KINDS.reduce((sum, kind) => sum + answers[kind], 0)
}

/** `2026-03-04` */
function dateOf (day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

function parseDays (text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= KEPT_DAYS) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${KEPT_DAYS}.`)
}
