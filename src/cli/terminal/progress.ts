import type { Output } from '../context.js'

/** To the beginning of the line, and all that stands on it is deleted (ECMA-48). */
const CLEAR = '\r\u001b[K'

/** Tells a person at a terminal how far a long work is, on a line that is written over and over. */
export interface Progress {
  show(text: string): void
  clear(): void
  /** Shows a text while a work is done. */
  during<Result>(text: string, work: () => Promise<Result>): Promise<Result>
}

/** Gives the progress line of a terminal; where stderr is none, nothing is written. */
export function progressOn ({ stderr }: Output): Progress {
  const write = (text: string): void => {
    if (stderr.isTTY) stderr.write(CLEAR + text)
  }
  return {
    show: write,
    clear: () => write(''),
    during: (text, work) => {
      write(text)
      return work().finally(() => write(''))
    }
  }
}
