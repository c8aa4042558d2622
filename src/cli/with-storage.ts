import { readConfig } from '../config.js'
import { openStorage, type Repositories } from '../storage/open.js'
import type { Context } from './context.js'
import { escapeInvisible } from './terminal/invisible.js'
import { progressOn, type Progress } from './terminal/progress.js'

/**
 * Runs work on the storage, beside a server that may be using it too, and prints the text that the work returns, if
 * any. Changes of API keys are stored with the name of who made them, if given. Only `create` creates a missing SQLite
 * file.
 */
export async function withStorage (
  { env, out, clock }: Context,
  work: (repositories: Repositories, progress: Progress) => Promise<string | void>,
  { by, create }: { by?: string | undefined; create?: boolean } = {}
): Promise<void> {
  const { DATABASE_URL: url, DATABASE_ANEW: anew } = readConfig(env)
  const progress = progressOn(out)
  const storage = await progress.during('Opening the database', () => openStorage(url, { owner: false, create, anew }))
  try {
    const { repositories } = storage
    const apiKeys = by === undefined ? repositories.apiKeys : repositories.keyHistory.recordedBy(by, clock)
    const text = await work({ ...repositories, apiKeys }, progress).finally(progress.clear)
    if (text !== undefined) out.stdout.write(`${escapeInvisible(text)}\n`)
  } finally {
    await storage.close()
  }
}

/** Brings what servers have counted into the database, and tells of those that did not answer. */
export async function gatherUsage (
  { usage }: Repositories,
  { out, clock }: Context,
  progress: Progress
): Promise<void> {
  const silent = await progress.during('Asking the servers', () => usage.gather(clock.now()))
  if (silent === 0) return
  const servers = silent === 1 ? 'A server' : `${silent} servers`
  out.stderr.write(`${servers} did not answer. What was counted there in the last second is missing.\n`)
}
