import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface TestFile {
  /** Its path from the folder of the project. */
  path: string
  /** Its size in bytes, which stands for the time that it takes. */
  size: number
  /** Whether it needs more than Node, or minutes. */
  thorough: boolean
  /** Whether nothing else may run beside it, because it takes all cores or measures time. */
  alone: boolean
}

/** What runs alone: tests of how soon several servers agree, and of how long a turn of the event loop takes. */
const ALONE = [/^test\/scaled\/limits\./, /\/stall\.thorough\.ts$/]

/** The size of the file that runs many others. */
const LARGEST = 100_000

/** Lists the test files whose path has one of the words in it, or all of them; the largest first. */
export function testFiles (words: string[] = []): TestFile[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => /\.(test|thorough)\.ts$/.test(path))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(fromRoot(word))))
    .map((path) => ({
      path,
      size: path.endsWith('/on-postgres.thorough.ts') ? LARGEST : statSync(join(ROOT, path)).size,
      thorough: path.endsWith('.thorough.ts'),
      alone: ALONE.some((pattern) => pattern.test(path))
    }))
    .sort((one, other) => other.size - one.size)
}

/** The path of a file from the folder of the project, for somebody who names it from elsewhere; a word as it is. */
function fromRoot (word: string): string {
  return word.includes('/') ? relative(ROOT, word) : word
}
