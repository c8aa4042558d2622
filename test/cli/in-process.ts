import type { Ended } from '../../scripts/cluster/program.js'
import { run } from '../../src/cli/program.js'
import { systemClock } from '../../src/domain/clock.js'

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
    write: (text: string) => {
      ended[name] += text
    }
  })
  const out = { stdout: streamOf('stdout'), stderr: streamOf('stderr') }
  return { code: await run(args, { env, out, clock: systemClock }), ...ended }
}
