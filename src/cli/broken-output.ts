/**
 * Keeps the program going when its output cannot be written. A reader that has gone, as `head` does, is no failure, and
 * nobody is left to tell. Any other loss of what was asked for, such as a new secret on a full disk, is one.
 */
export function surviveBrokenOutput ({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  stderr.on('error', () => {})
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return
    stderr.write(`petstore: the output could not be written: ${message}\n`)
    // The exit code of the command, which may have ended well, comes later.
    process.once('exit', () => {
      process.exitCode = 1
    })
  })
}
