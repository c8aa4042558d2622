import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from '../../domain/errors.js'
import type { Database } from '../database/database.js'

/** How long servers are waited for, in milliseconds: one that is alive writes within a part of that. */
const PATIENCE = 4_000
/** Milliseconds between two looks. */
const INTERVAL = 25

/**
 * Has every server of a database write what it has counted, and waits until it has. Gives how many have not: they were
 * killed, or hang. Those are not waited for again.
 */
export async function gatherCounts (database: Database, patience = PATIENCE): Promise<number> {
  const servers = await database.read('SELECT server FROM counting_servers')
  if (servers.length === 0) return 0
  try {
    return await ask(database, patience)
  } catch (error) {
    // What cannot be written now can be read all the same, as on a full disk.
    if (!(error instanceof StorageUnavailable)) throw error
    return servers.length
  }
}

async function ask (database: Database, patience: number): Promise<number> {
  const asked = await database.write('UPDATE counting_servers SET asked = asked + 1 RETURNING server, asked')
  let waiting = new Map(asked.map((row) => [row.server as string, Number(row.asked)]))
  for (const end = performance.now() + patience; performance.now() < end;) {
    await sleep(INTERVAL)
    const rows = await database.read('SELECT server, told FROM counting_servers')
    const told = new Map(rows.map((row) => [row.server as string, Number(row.told)]))
    // A server whose row is gone has written everything at its end.
    waiting = new Map([...waiting].filter(([server, question]) => (told.get(server) ?? question) < question))
    if (waiting.size === 0) return 0
  }
  for (const server of waiting.keys()) {
    await database.write('DELETE FROM counting_servers WHERE server = $1', [server])
  }
  return waiting.size
}
