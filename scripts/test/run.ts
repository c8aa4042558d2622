import type { TestFile } from './files.js'
import { Lane, type Result } from './lane.js'

/**
 * Runs test files, so many at a time, and tells the result of each. The quick ones share a process for each lane; each
 * thorough one has its own.
 */
export async function runFiles (
  files: TestFile[],
  lanes: number,
  environment: Record<string, string>,
  tell: (file: TestFile, result: Result) => void
): Promise<void> {
  const waiting = [...files]
  const follow = async (): Promise<void> => {
    const lane = new Lane()
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const result = await lane.run(file.path, environment)
      if (file.thorough) await lane.end()
      tell(file, result)
    }
    await lane.end()
  }
  await Promise.all(Array.from({ length: Math.min(lanes, files.length) }, follow))
}
