import { ANSWER_KINDS, KEPT_DAYS, noAnswers, type AnswerKind, type DayOfUsage } from '../../domain/api-keys/daily-usage.js'
import { DAY } from '../../domain/windows.js'
import type { Database, Queries } from '../database/database.js'

/** Answers of one kind that a key got on a day. */
export interface CountedAnswers {
  keyId: string
  day: number
  kind: AnswerKind
  count: number
}

/** Rows that are written or deleted by one statement. */
const BATCH = 500

/**
 * Adds counted answers to those of before; in the order of the keys, so that servers that do so at the same time do not
 * block each other.
 */
export async function addAnswers (queries: Queries, counted: CountedAnswers[]): Promise<void> {
  const sorted = counted.toSorted((one, other) => compare(one.keyId, other.keyId) || one.day - other.day)
  for (let from = 0; from < sorted.length; from += BATCH) {
    const rows = sorted.slice(from, from + BATCH)
    const places = rows.map((_, row) => `($${4 * row + 1}, $${4 * row + 2}, $${4 * row + 3}, $${4 * row + 4})`)
    await queries.write(
      `INSERT INTO daily_answers (key_id, day, kind, answers) VALUES ${places.join(', ')}
       ON CONFLICT (key_id, day, kind) DO UPDATE SET answers = daily_answers.answers + excluded.answers`,
      rows.flatMap(({ keyId, day, kind, count }) => [keyId, day, kind, count])
    )
  }
}

/** Deletes some of what is older than is kept at a time; gives whether there may be more. */
export async function deleteOldAnswers (queries: Queries, today: number): Promise<boolean> {
  const gone = await queries.write(
    `DELETE FROM daily_answers WHERE (key_id, day, kind) IN (
       SELECT key_id, day, kind FROM daily_answers WHERE day < $1 ORDER BY day LIMIT ${BATCH}
     ) RETURNING kind`,
    [today - (KEPT_DAYS - 1) * DAY]
  )
  return gone.length === BATCH
}

/** Reads the days from this one on on which a key got answers, the oldest first. */
export async function readDays (database: Database, keyId: string, from: number): Promise<DayOfUsage[]> {
  const days = new Map<number, DayOfUsage>()
  for (const row of await database.read(
    'SELECT day, kind, answers FROM daily_answers WHERE key_id = $1 AND day >= $2 ORDER BY day',
    [keyId, from]
  )) {
    const day = Number(row.day)
    const entry = days.get(day) ?? { day, answers: noAnswers() }
    const kind = ANSWER_KINDS.find((name) => name === row.kind)
    if (kind) entry.answers[kind] = Number(row.answers)
    days.set(day, entry)
  }
  return [...days.values()]
}

function compare (one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
