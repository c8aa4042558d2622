import type { Clock } from '../../src/domain/clock.js'

/** A clock that a test sets. It begins at a full minute, far from the end of a day. */
export class TestClock implements Clock {
  #now = Date.parse('2026-03-04T10:20:00Z')
  /** How far it is ahead of the wall, in milliseconds. */
  ahead = 0

  now (): number {
    return this.#now
  }

  wall (): number {
    return this.#now - this.ahead
  }

  advance (milliseconds: number): void {
    this.#now += milliseconds
  }

  set (iso: string): void {
    this.#now = Date.parse(iso)
  }
}
