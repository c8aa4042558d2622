import { ANSWER_KINDS, kindIndexOf } from '../../domain/api-keys/daily-usage.js'
import { DAY, windowStart } from '../../domain/windows.js'
import type { CountedAnswers } from './daily-table.js'

interface Counts {
  keyId: string
  day: number
  /** In the order of ANSWER_KINDS. */
  answers: number[]
}

/** Counts the answers of a server in memory until they are written. */
export class AnswerCounts {
  /** Of each key the counts of the day of its newest answer. */
  #newest = new Map<string, Counts>()
  #earlier: Counts[] = []

  /** Counts an answer. This is done for every request. */
  note (keyId: string, status: number, at: number): void {
    let counts = this.#newest.get(keyId)
    if (counts === undefined || at < counts.day || at >= counts.day + DAY) counts = this.#begin(keyId, at, counts)
    counts.answers[kindIndexOf(status)]!++
  }

  /** Gives what was counted since it was last taken. */
  take (): CountedAnswers[] {
    const all = [...this.#earlier, ...this.#newest.values()]
    this.#newest = new Map()
    this.#earlier = []
    const sums = new Map<string, CountedAnswers>()
    for (const { keyId, day, answers } of all) {
      for (const [index, count] of answers.entries()) {
        if (count === 0) continue
        const kind = ANSWER_KINDS[index]!
        const name = `${keyId} ${day} ${kind}`
        const before = sums.get(name)
        if (before) before.count += count
        else sums.set(name, { keyId, day, kind, count })
      }
    }
    return [...sums.values()]
  }

  #begin (keyId: string, at: number, before: Counts | undefined): Counts {
    if (before) this.#earlier.push(before)
    const counts = { keyId, day: windowStart(at, DAY), answers: ANSWER_KINDS.map(() => 0) }
    this.#newest.set(keyId, counts)
    return counts
  }
}
