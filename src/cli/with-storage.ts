import { readConfig } from '../config.js'
import { openStorage, type Repositories } from '../storage/open.js'
import type { Context } from './context.js'
import { progressOn, type Progress } from './terminal/progress.js'

/** Runs work on the storage, beside a server that may be using it too, and prints the text that the work gives. */
export async function withStorage (
  { env, out }: Context,
  work: (repositories: Repositories, progress: Progress) => Promise<string>
): Promise<void> {
  const { DATABASE_URL: url, DATABASE_ANEW: anew } = readConfig(env)
  const progress = progressOn(out)
  const storage = await progress.during('Opening the database', () => openStorage(url, { owner: false, anew }))
  try {
    const text = await work(storage.repositories, progress).finally(progress.clear)
    out.stdout.write(`${text}\n`)
  } finally {
    await storage.close()
  }
}
