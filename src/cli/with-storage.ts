import { readConfig } from '../config.js'
import { openStorage, type Repositories } from '../storage/open.js'

/** Runs a subcommand beside a server that may be using the same database, and prints the text that it returns. */
export async function withStorage (run: (repositories: Repositories) => Promise<string>): Promise<void> {
  const storage = await openStorage(readConfig(process.env).DATABASE_URL, { owner: false })
  try {
    console.log(await run(storage.repositories))
  } finally {
    await storage.close()
  }
}
