import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from '../../domain/errors.js'
import { DAY } from '../../domain/windows.js'
import type { Database } from '../database/database.js'

/** How long servers are waited for, in milliseconds: one that is alive writes within a part of that. */
const PATIENCE = 4_000
/** Milliseconds between two looks. */
const INTERVAL = 25
/**
 * How long the row of a server that was given up stays at least, in milliseconds: it goes when servers are asked again
 * after that. A server that was only cut off comes back to it, and finds there which of its batches was written last,
 * so that none is written twice.
 */
const KEPT = DAY

/**
 * Has every server of a database write what it has counted, and waits until it has. Gives how many have not: they were
 * killed, hang, or cannot reach the database. Those are given up: nobody waits for them until they write again.
 */
export async function gatherCounts (database: Database, now: number, patience = PATIENCE): Promise<number> {
  const servers = await database.read('SELECT server FROM counting_servers WHERE given_up_at IS NULL')
  if (servers.length === 0) return 0
  try {
    return await ask(database, now, patience)
  } catch (error) {
    // What cannot be written now can be read all the same, as on a full disk.
    if (!(error instanceof StorageUnavailable)) throw error
    return servers.length
  }
}

async function ask (database: Database, now: number, patience: number): Promise<number> {
  await database.write('DELETE FROM counting_servers WHERE given_up_at <= $1', [now - KEPT])
  const asked = await database.write(
    'UPDATE counting_servers SET asked = asked + 1 WHERE given_up_at IS NULL RETURNING server, asked'
  )
  let waiting = new Map(asked.map((row) => [row.server as string, Number(row.asked)]))
  for (const end = performance.now() + patience; performance.now() < end;) {
    await sleep(INTERVAL)
    const rows = await database.read('SELECT server, told FROM counting_servers')
    const told = new Map(rows.map((row) => [row.server as string, Number(row.told)]))
    // A server whose row is gone has written everything at its end; one that another command gave up has not.
    waiting = new Map([...waiting].filter(([server, question]) => (told.get(server) ?? question) < question))
    if (waiting.size === 0) return 0
  }
  return await giveUp(database, waiting, now)
}

/** Gives up the servers that have not answered their questions, and gives how many have not even now. */
async function giveUp (database: Database, waiting: ReadonlyMap<string, number>, now: number): Promise<number> {
  let count = 0
  for (const [server, question] of waiting) {
    const givenUp = await database.write(
      'UPDATE counting_servers SET given_up_at = $3 WHERE server = $1 AND told < $2 RETURNING server',
      [server, question, now]
    )
    count += givenUp.length
  }
  return count
}
