import { fstatSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { CommandFailure } from '../command-failure.js'
import type { Output } from '../context.js'
import { escapeInvisible } from './invisible.js'

/** Writes a text with a secret, and returns why nobody can have read it, if so. */
export async function writeSecret (stream: Output['stderr'], text: string): Promise<string | undefined> {
  // Node opens the null device in the place of a stream that is closed, too.
  if (stream.fd !== undefined && fstatSync(stream.fd).rdev === statSync(devNull).rdev) return `it goes to ${devNull}`
  return await new Promise((resolve) => {
    stream.write(`${escapeInvisible(text)}\n`, (error?: NodeJS.ErrnoException | null) => resolve(error?.code))
  })
}

/**
 * Prints a new secret and then stores it, so that none becomes valid that nobody has seen.
 * @throws {CommandFailure} when it cannot be printed; nothing is stored then
 */
export async function issueSecret (
  { stdout, stderr }: Output,
  text: string,
  store: () => Promise<unknown>
): Promise<void> {
  const failure = await writeSecret(stdout, text)
  if (failure) throw new CommandFailure(`The secret could not be written (${failure}). Nothing was changed.`)
  await store().catch((error: unknown) => {
    stderr.write('The secret above was not stored. Do not use it.\n')
    throw error
  })
}
