import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.js'
import { repeat } from '../scheduling/interval.js'
import type { AnswerCounts } from './answer-counts.js'
import { addAnswers, deleteOldAnswers, type CountedAnswers } from './daily-table.js'

/** How often a server looks whether it is asked to write its counts, in milliseconds: a local look costs nothing. */
const LOOK = { local: 100, remote: 250 }
/** How often it writes what it has counted without being asked, in milliseconds. */
const WRITE = 1_000

export interface CountingServerOptions {
  /** Whether it is the only server of this database. */
  alone: boolean
  /** Writes how many requests the limits have admitted. */
  saveAdmitted: () => Promise<void>
  /** Told once, until one succeeds, when counts cannot be written. */
  onUnwritten?: ((cause: Error) => void) | undefined
}

/** What is written by one transaction. Its number tells whether it was written, where the outcome is not known. */
interface Batch {
  number: number
  counted: CountedAnswers[]
  /** The question that it answers, if any. */
  asked?: number | undefined
}

/**
 * Writes what a server has counted, every second and whenever it is asked by the row that stands for the server in the
 * database (see {@link gatherCounts}).
 */
export class CountingServer {
  readonly #name = randomUUID()
  readonly #database: Database
  readonly #counts: AnswerCounts
  readonly #options: CountingServerOptions
  #end = async (): Promise<void> => {}
  #batches = 0
  #told = 0
  /** A batch of which it is not known whether it was written. */
  #unsure: Batch | undefined
  #writtenAt = performance.now()
  /** The newest day whose forerunners were deleted as far as they are not kept. */
  #cleanedDay = 0
  #isFailing = false

  private constructor (database: Database, counts: AnswerCounts, options: CountingServerOptions) {
    this.#database = database
    this.#counts = counts
    this.#options = options
  }

  /** Makes this server known, so that it is asked. */
  static async join (
    database: Database,
    counts: AnswerCounts,
    options: CountingServerOptions
  ): Promise<CountingServer> {
    // Others that a database of one server has were killed.
    if (options.alone) await database.write('DELETE FROM counting_servers')
    const server = new CountingServer(database, counts, options)
    await server.#store({ number: 0, counted: [], asked: 0 })
    server.#end = repeat(database.local ? LOOK.local : LOOK.remote, () => server.#look())
    return server
  }

  /** Writes what was counted, for the last time. */
  async leave (): Promise<void> {
    await this.#end()
    await this.#write()
    // A row that stays costs whoever asks next some seconds, and nothing else.
    await this.#database.write('DELETE FROM counting_servers WHERE server = $1', [this.#name]).catch(() => {})
  }

  async #look (): Promise<void> {
    try {
      const asked = await this.#question()
      const isDue = performance.now() - this.#writtenAt >= WRITE
      if (asked !== undefined || isDue) await this.#write(asked)
    } catch (error) {
      // What could not be written is written the next time.
      if (!this.#isFailing) this.#options.onUnwritten?.(error as Error)
      this.#isFailing = true
    }
  }

  /** The number of the question that waits for an answer; one more where nobody asks this server any more. */
  async #question (): Promise<number | undefined> {
    const [row] = await this.#database.read('SELECT asked, given_up_at FROM counting_servers WHERE server = $1', [
      this.#name
    ])
    const isAsked = row !== undefined && row.given_up_at === null
    const asked = Math.max(Number(row?.asked ?? 0), isAsked ? 0 : this.#told + 1)
    return asked > this.#told ? asked : undefined
  }

  async #write (asked?: number): Promise<void> {
    if (asked !== undefined) await this.#options.saveAdmitted()
    if (this.#unsure) await this.#store(this.#unsure)
    this.#writtenAt = performance.now()
    const counted = this.#counts.take()
    if (counted.length > 0 || asked !== undefined) await this.#store({ number: ++this.#batches, counted, asked })
  }

  async #store (batch: Batch): Promise<void> {
    const { number, counted, asked = this.#told } = batch
    this.#unsure = batch
    await this.#database.transaction(async (queries) => {
      const fresh = await queries.write(
        `INSERT INTO counting_servers (server, batch, asked, told) VALUES ($1, $2, $3, $3)
         ON CONFLICT (server) DO UPDATE SET batch = excluded.batch, told = excluded.told, given_up_at = NULL
         WHERE counting_servers.batch < excluded.batch RETURNING server`,
        [this.#name, number, asked]
      )
      if (fresh.length === 0) return
      await addAnswers(queries, counted)
      await this.#clean(queries, counted.reduce((newest, { day }) => Math.max(newest, day), 0))
    })
    this.#unsure = undefined
    this.#isFailing = false
    this.#told = asked
  }

  async #clean (queries: Pick<Database, 'read' | 'write'>, today: number): Promise<void> {
    if (today <= this.#cleanedDay) return
    const isMore = await deleteOldAnswers(queries, today)
    if (!isMore) this.#cleanedDay = today
  }
}
