/** Takes a short text that says what a script is doing now. */
export type Progress = (text: string) => void

/**
 * Shows people at a terminal what a script is doing now, in one line of stderr that the next text replaces. Where
 * stderr is no terminal nothing is written.
 */
export function showProgress (text: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(text.slice(0, (process.stderr.columns || 80) - 1))
}

/** Removes the line of {@link showProgress}, so that other output may follow. */
export function clearProgress (): void {
  if (!process.stderr.isTTY) return
  process.stderr.cursorTo(0)
  process.stderr.clearLine(0)
}
