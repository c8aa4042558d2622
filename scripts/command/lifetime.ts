import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What ends with a test or a script: `end` is called then, the newest first. */
export interface Lifetime {
  teardown(end: () => unknown): void
}

/** Makes an empty folder that is removed in the end. */
export async function temporaryFolder (lifetime: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-'))
  lifetime.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}
