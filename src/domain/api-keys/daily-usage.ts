import { DAY } from '../windows.js'

/** The kinds of answers that are counted apart. A 429, by which the limits refuse, is not among the other 4xx. */
export const ANSWER_KINDS = ['2xx', '3xx', '4xx', '429', '5xx'] as const
/** A kind of answers that is counted. */
export type AnswerKind = (typeof ANSWER_KINDS)[number]

/** How many days are kept, today included. */
export const KEPT_DAYS = 400

/** How the requests of a key on a day were answered. */
export interface DayOfUsage {
  /** When the day begins, at 00:00 UTC, in milliseconds since 1970. */
  day: number
  answers: Record<AnswerKind, number>
}

/** The port to the answers that each API key got, by day. */
export interface DailyUsageRepository {
  /**
   * Counts an answer with this status, on the day of `at`, at once and in memory. It is durable a second later, and
   * when the storage was closed.
   */
  note(keyId: string, status: number, at: number): void
  /** The days from this one on on which a key got answers, the oldest first. */
  daysFrom(keyId: string, day: number): Promise<DayOfUsage[]>
}

/** Gives the place of a status in {@link ANSWER_KINDS}. */
export function kindIndexOf (status: number): number {
  if (status === 429) return 3
  if (status >= 500) return 4
  if (status >= 400) return 2
  return status >= 300 ? 1 : 0
}

/** Gives the days up to the one that begins at `today`, the oldest first: those without an answer too. */
export function everyDay (found: DayOfUsage[], today: number, count: number): DayOfUsage[] {
  const answers = new Map(found.map((entry) => [entry.day, entry.answers]))
  return Array.from({ length: count }, (_, index) => {
    const day = today - (count - 1 - index) * DAY
    return { day, answers: answers.get(day) ?? noAnswers() }
  })
}

/** Gives a count of 0 for each kind of answers. */
export function noAnswers (): Record<AnswerKind, number> {
  return { '2xx': 0, '3xx': 0, '4xx': 0, 429: 0, '5xx': 0 }
}
