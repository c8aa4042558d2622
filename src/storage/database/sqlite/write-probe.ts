import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { within } from '../../scheduling/deadline.js'
import type { Row } from '../database.js'
import type { GroupCommit } from './group-commit.js'

/** Free space below which a disk may be full for a write, in bytes. */
const LITTLE_SPACE = 2 ** 20
/** What is written to see whether a write works, in bytes: more than a write of a request. */
const PROBE = 2 ** 16
/** Milliseconds between two such writes, and how long whoever asks waits for one. */
const INTERVAL = 1_000
const PATIENCE = 300

/** Tells whether the owner of a database can write: by its last writes, and by one more where that is in doubt. */
export class WriteProbe {
  readonly #folder: string
  readonly #group: GroupCommit
  readonly #run: (sql: string) => Row[]
  #next = 0

  constructor (path: string, group: GroupCommit, run: (sql: string) => Row[]) {
    this.#folder = dirname(path)
    this.#group = group
    this.#run = run
  }

  /** Resolves with whether writes work now, as far as is known. */
  async isWritable (): Promise<boolean> {
    const isInDoubt = this.#group.isFailing || this.#freeSpace() < LITTLE_SPACE
    if (isInDoubt && performance.now() >= this.#next) {
      this.#next = performance.now() + INTERVAL
      // Its outcome is noted by the group, as that of any write.
      await within(PATIENCE, this.#write(), () => new Error('late')).catch(() => {})
    }
    return !this.#group.isFailing
  }

  async #write (): Promise<void> {
    await this.#group.add(async () => this.#run(`UPDATE owner SET probe = zeroblob(${PROBE})`))
    await this.#group.add(async () => this.#run('UPDATE owner SET probe = NULL'))
  }

  #freeSpace (): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }
}
