import { join } from 'node:path'
import type { Test } from 'tap'
import type { Ended } from '../../scripts/cluster/program.js'
import { run } from '../../src/cli/program.js'
import { systemClock } from '../../src/domain/clock.js'
import { ensureFile } from '../../src/storage/database/sqlite/file.js'

/** Creates a database without records in the folder of a test, and returns its setting. */
export function emptyDatabase (t: Test): { DATABASE_URL: string } {
  const path = join(t.testdir(), 'petstore.db')
  ensureFile(path, { create: true })
  return { DATABASE_URL: `sqlite:${path}` }
}

/** Runs `petstore` to its end in this process, with these environment variables and no others. */
export async function runInProcess (
  args: string[],
  env: Record<string, string> = {},
  { isTTY = false, columns }: { isTTY?: boolean; columns?: number } = {}
): Promise<Ended> {
  const ended = { stdout: '', stderr: '' }
  const streamOf = (name: keyof typeof ended) => ({
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string, written?: () => void) => {
      ended[name] += text
      written?.()
    }
  })
  const out = { stdout: streamOf('stdout'), stderr: streamOf('stderr') }
  return { code: await run(args, { program: 'petstore', env, out, clock: systemClock }), ...ended }
}
