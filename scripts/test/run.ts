import type { TestFile } from './files.js'
import { Lane, type Result } from './lane.js'

export interface RunOptions {
  /** How many run at a time. */
  lanes: number
  /** Variables for the environment of the tests. */
  environment: Record<string, string>
  /** Resolves when the tests may begin; their processes start before that. */
  ready: Promise<unknown>
  tell: (file: TestFile, result: Result) => void
}

/**
 * Runs test files and tells the result of each. The quick ones share a process for each lane; each thorough one has its
 * own.
 */
export async function runFiles (files: TestFile[], { lanes, environment, ready, tell }: RunOptions): Promise<void> {
  const waiting = [...files]
  const follow = async (): Promise<void> => {
    const lane = new Lane(environment)
    await ready
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const result = await lane.run(file.path)
      if (file.thorough) await lane.end()
      tell(file, result)
    }
    await lane.end()
  }
  await Promise.all(Array.from({ length: Math.min(lanes, files.length) }, follow))
}
