import { userInfo } from 'node:os'
import { InvalidArgumentError, type Command } from 'commander'
import type { ApiKey } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'
import { SCOPE_NAMES } from '../../domain/scopes.js'
import type { Repositories } from '../../storage/open.js'
import { CommandFailure } from '../command-failure.js'
import type { Context } from '../context.js'
import { parseAuthor, parseExpiry, parsePositiveInteger } from '../terminal/arguments.js'
import { jsonCommand } from '../terminal/json-command.js'
import { viewOf, type KeyView } from '../terminal/key-text.js'
import { gatherUsage, withStorage } from '../with-storage.js'

/** What the help says of a list of scopes. */
export const SCOPE_HELP =
  `what it may be used for: all, scopes of later versions too, or some of ${SCOPE_NAMES.join(',')}`

/** The limits that a command line gives to an enterprise key. */
export interface Limits {
  perMinute?: number
  perDay?: number
}

/** Makes a subcommand about one key. */
export function keyCommand (name: string, description: string): Command {
  return jsonCommand(name, description).argument('<id>', 'as keys list shows it: key_…')
}

/** Gives a command the options for the limits of an enterprise key. */
export function withLimits (command: Command): Command {
  return command
    .option('--per-minute <n>', 'requests a minute (enterprise only)', parsePositiveInteger)
    .option('--per-day <n>', 'requests a day (enterprise only)', parsePositiveInteger)
}

/** Gives a command that changes a key the option that says who makes the change. */
export function withAuthor (command: Command): Command {
  return command.option('--by <name>', 'who makes this change, for keys history (default: your user name)', parseAuthor)
}

/** Gives who makes a change: the name that was given, or else that of the system's user. */
export function authorOf ({ by }: { by?: string | undefined }): string {
  if (by !== undefined) return by
  try {
    return userInfo().username
  } catch {
    // As in a container that runs under a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Finds or changes one key and prints it: as JSON, or in the text that `describe` makes of it, now and before. */
export async function printKey (
  context: Context,
  command: Command,
  id: string,
  findOrChange: (repositories: Repositories) => Promise<ApiKey | undefined>,
  describe: (key: KeyView, before: ApiKey) => string,
  { isUrgent = false } = {}
): Promise<void> {
  const options = command.opts<{ json?: boolean; by?: string }>()
  await withStorage(
    context,
    async (repositories, progress) => {
      // Before the change, so that nothing is waited for once it was made; but what is urgent waits for no server.
      if (!isUrgent) await gatherUsage(repositories, context, progress)
      const before = found(await repositories.apiKeys.find(id), id)
      const key = found(await findOrChange(repositories), id)
      if (isUrgent && options.json) await gatherUsage(repositories, context, progress)
      const [view] = await viewsOf(repositories, [key], context.clock.now())
      return options.json ? JSON.stringify(view) : describe(view!, before)
    },
    { by: authorOf(options) }
  )
}

/** Gives what is shown of some keys; of their use, what servers have told the database. */
export async function viewsOf (
  { apiKeys, usage }: Repositories,
  keys: ApiKey[],
  now: number
): Promise<KeyView[]> {
  const used = await usage.usageOf(now)
  const overlaps = await apiKeys.overlaps(new Date(now))
  return keys.map((key) => viewOf(key, { usage: used.get(key.id), overlaps: overlaps.get(key.id) }, now))
}

/**
 * Returns the key that was looked for.
 * @throws {CommandFailure} when there is none with this id
 */
export function found (key: ApiKey | undefined, id: string): ApiKey {
  if (!key) throw new CommandFailure(`There is no key with the id '${id}'.`)
  return key
}

/** Gives the parser of a time at which a key ends, which may not have passed. */
export function futureOf ({ now }: Clock): (text: string) => Date | null {
  return (text) => {
    const date = parseExpiry(text, now())
    if (date && date.valueOf() <= now()) throw new InvalidArgumentError('It must lie in the future.')
    return date
  }
}
