import { SERVER, type KeyFields } from '../../domain/api-keys/history.js'
import { nextBan, STRIKES, type Ban } from '../../domain/bans.js'
import { decide, type Decision, type MeteredKey } from '../../domain/usage.js'
import { DAY, MINUTE, windowStart } from '../../domain/windows.js'
import type { Database } from '../database/database.js'
import { keepChange } from '../database/key-changes.js'

/** The windows and their lengths, in milliseconds. */
export const LENGTHS = { minute: MINUTE, day: DAY }
/** The name of a window. */
export type WindowName = keyof typeof LENGTHS
/** The names of all windows. */
export const WINDOWS = Object.keys(LENGTHS) as WindowName[]

/** How many requests were admitted in the window that begins at `start`, in milliseconds since 1970. */
export interface Count {
  start: number
  used: number
}
/** The counts of a key in all windows. */
export type Counts = Record<WindowName, Count>

/**
 * Reads the stored counts of some keys. A window that lies in the future, as after a start with the clock set back,
 * becomes the current one: what was used stays used.
 */
export async function readCounts (
  database: Database,
  keyIds: readonly string[],
  now: number
): Promise<Map<string, Counts>> {
  const counts = new Map(
    keyIds.map((keyId): [string, Counts] => [keyId, { minute: { start: 0, used: 0 }, day: { start: 0, used: 0 } }])
  )
  const placeholders = keyIds.map((_, index) => `$${index + 1}`).join(', ')
  for (const row of await database.read(
    `SELECT key_id, "window", start, used FROM usage WHERE key_id IN (${placeholders})`,
    keyIds
  )) {
    const name = row.window as WindowName
    counts.get(row.key_id as string)![name] = {
      start: Math.min(Number(row.start), windowStart(now, LENGTHS[name])),
      used: Number(row.used)
    }
  }
  return counts
}

/**
 * Reads the stored counts of all keys, in the form of UsageRepository.usageOf. A day that lies in the future is today,
 * as {@link readCounts} has it.
 */
export async function readUsage (
  database: Database,
  now: number
): Promise<Map<string, { today: number; lastUsedAt: number }>> {
  const usage = new Map<string, { today: number; lastUsedAt: number }>()
  // Of what one server has leased ahead, only what it has admitted; without a lease that is the same.
  for (const row of await database.read(
    'SELECT key_id, "window", start, COALESCE(admitted, used) AS used FROM usage'
  )) {
    const entry = usage.get(row.key_id as string) ?? { today: 0, lastUsedAt: 0 }
    if (row.window === 'minute') entry.lastUsedAt = Number(row.start)
    else if (Number(row.start) >= windowStart(now, DAY)) entry.today = Number(row.used)
    usage.set(row.key_id as string, entry)
  }
  return usage
}

/**
 * Stores counts of many keys where they are further than what is stored; in the order of the ids, so that servers that
 * do so at the same time do not block each other.
 */
export async function raiseCounts (database: Database, counts: ReadonlyMap<string, Counts>): Promise<void> {
  const rows = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([keyId, windows]) => WINDOWS.map((name) => [keyId, name, windows[name].start, windows[name].used]))
  const placeholders = rows.map((_, row) => {
    const first = 4 * row + 1
    return `($${first}, $${first + 1}, $${first + 2}, $${first + 3})`
  })
  await database.write(
    `INSERT INTO usage (key_id, "window", start, used) VALUES ${placeholders.join(', ')}
     ON CONFLICT (key_id, "window") DO UPDATE SET start = excluded.start, used = excluded.used, admitted = NULL
     WHERE excluded.start > usage.start OR (excluded.start = usage.start AND excluded.used > usage.used)`,
    rows.flat()
  )
}

/**
 * Bans the key of a refused request on the tenth strike of its minute, or the twentieth and so on, and resolves with
 * the decision on the request, once the ban is durable. A ban that is in force already is not made
 * longer; one that could not be stored is tried again ten strikes later. The history of the key has it.
 */
export async function refuse (
  database: Database,
  { id, quota, ban: before }: MeteredKey,
  refused: Decision,
  used: Record<WindowName, number>,
  strikes: number
): Promise<Decision> {
  if (strikes === 0 || strikes % STRIKES !== 0) return refused
  const ban = nextBan(before, refused.at)
  const isStored = await database.transaction(async (queries) => {
    const stored = await queries.write(
      `UPDATE api_keys SET ban_level = $2, banned_until = $3
       WHERE id = $1 AND (banned_until IS NULL OR banned_until <= $4) RETURNING id`,
      [id, ban.level, ban.until, refused.at]
    )
    if (stored.length === 0) return false
    const change = { at: new Date(refused.at), by: SERVER, action: 'ban' as const, from: endOf(before), to: endOf(ban) }
    await keepChange(queries, id, change)
    return true
  })
  return isStored ? { ...decide({ quota, ban }, used, refused.at), ban } : refused
}

function endOf (ban: Ban | undefined): KeyFields {
  return { bannedUntil: ban ? new Date(ban.until).toISOString() : null }
}
