import { Argument, Option, type Command } from 'commander'
import { isValid, newSecret, overlapsAfter, sha256, TooManyOverlaps } from '../../domain/api-keys.js'
import { PLAN_NAMES, quotaOf, type Plan } from '../../domain/plans.js'
import type { Scope } from '../../domain/scopes.js'
import type { Repositories } from '../../storage/open.js'
import { CommandFailure } from '../command-failure.js'
import type { Context } from '../context.js'
import { parseDuration, parseKeyName, parseScopes } from '../terminal/arguments.js'
import { limitsText, rotatedText, stateOf, tooManyText, unbannedText, viewOf } from '../terminal/key-text.js'
import type { Progress } from '../terminal/progress.js'
import { issueSecret } from '../terminal/secret.js'
import { gatherUsage, withStorage } from '../with-storage.js'
import {
  authorOf,
  found,
  futureOf,
  keyCommand,
  printKey,
  SCOPE_HELP,
  withAuthor,
  withLimits,
  type Limits
} from './key-command.js'

const EXPIRY_HELP = 'a duration (30d), a date (2027-01-31), an instant (2027-01-31T12:00:00Z) or never'

interface RotateOptions {
  /** Milliseconds. */
  overlap: number
  endOverlaps?: boolean
  json?: boolean
  by?: string
}

/** `petstore keys rotate` */
export function rotate (context: Context): Command {
  const overlap = new Option('--overlap <duration>', 'how long: 90s, 15m, 24h, 30d')
  return withAuthor(keyCommand('rotate', 'Give a key a new secret; the one before stays good for a while.'))
    .addOption(overlap.argParser(parseDuration).default(parseDuration('24h'), '24h'))
    .option('--end-overlaps', 'end those of earlier rotations now, instead of when it was promised')
    .addHelpText('after', '\nExample:\n  petstore keys rotate key_… --overlap 24h')
    .action((id: string, { overlap, endOverlaps = false, json, by }: RotateOptions) => {
      const rotateKey = async (repositories: Repositories, progress: Progress): Promise<void> => {
        const { apiKeys, usage } = repositories
        const now = context.clock.now()
        const key = found(await apiKeys.find(id), id)
        // Before the rotation: the new secret is shown at once.
        await gatherUsage(repositories, context, progress)
        const state = stateOf(viewOf(key, {}, now))
        if (!isValid(key, now)) throw new CommandFailure(`${id} (${key.name}) gets no new secret: it is ${state}.`)
        const secret = newSecret(key.kind)
        const kept = { hash: sha256(secret), last4: secret.slice(-4) }
        const rotation = { now: new Date(now), goodUntil: new Date(now + overlap), keepOverlaps: !endOverlaps }
        const overlaps = overlapsAfter(rotation, (await apiKeys.overlaps(rotation.now)).get(id) ?? [])
        const view = viewOf({ ...key, last4: kept.last4 }, { usage: (await usage.usageOf(now)).get(id), overlaps }, now)
        const text = json ? JSON.stringify({ ...view, key: secret }) : rotatedText(view, secret)
        await issueSecret(context.out, text, async () => found(await apiKeys.rotate(id, kept, rotation), id))
      }
      return withStorage(context, rotateKey, { by: authorOf({ by }) }).catch((error: unknown) => {
        throw error instanceof TooManyOverlaps ? new CommandFailure(tooManyText(id, error)) : error
      })
    })
}

/** `petstore keys revoke` */
export function revoke (context: Context): Command {
  return withAuthor(keyCommand('revoke', 'Refuse a key for ever.')).action((id: string, _options, command: Command) =>
    printKey(
      context,
      command,
      id,
      ({ apiKeys }) => apiKeys.revoke(id, new Date(context.clock.now())),
      (key, { revokedAt }) =>
        revokedAt ? `${id} (${key.name}) was already ${stateOf(key)}.` : `Revoked ${id} (${key.name}).`,
      { isUrgent: true }
    )
  )
}

/** `petstore keys rename` */
export function rename (context: Context): Command {
  return withAuthor(keyCommand('rename', 'Give a key another name.'))
    .addArgument(new Argument('<name>', 'what the key is for').argParser(parseKeyName))
    .action((id: string, name: string, _options, command: Command) =>
      printKey(
        context,
        command,
        id,
        ({ apiKeys }) => apiKeys.change(id, { name }),
        (key, before) => `${id} is called ${key.name} now; it was called ${before.name}.`
      )
    )
}

/** `petstore keys expire` */
export function expire (context: Context): Command {
  return withAuthor(keyCommand('expire', 'Say until when a key is good.'))
    .addArgument(new Argument('<when>', EXPIRY_HELP).argParser(futureOf(context.clock)))
    .action((id: string, expiresAt: Date | null, _options, command: Command) =>
      printKey(
        context,
        command,
        id,
        ({ apiKeys }) => apiKeys.change(id, { expiresAt }),
        ({ name, expires, revoked }) =>
          `${id} (${name}) expires: ${expires ?? 'never'}${revoked ? '; it is revoked' : ''}.`
      )
    )
}

/** `petstore keys plan` */
export function plan (context: Context): Command {
  const command = withAuthor(keyCommand('plan', 'Change the plan of a key; what it has used counts on.'))
    .addArgument(new Argument('<plan>', 'whose limits apply').choices(PLAN_NAMES))
  return withLimits(command).action(async (id: string, plan: Plan, limits: Limits, command: Command) => {
    const quota = quotaOf(plan, limits)
    await printKey(
      context,
      command,
      id,
      ({ apiKeys }) => apiKeys.change(id, { plan, quota }),
      (key) => `${id} (${key.name}) is on the plan ${plan}: ${limitsText(key)}.`
    )
  })
}

/** `petstore keys scopes` */
export function scopes (context: Context): Command {
  return withAuthor(keyCommand('scopes', 'Change what a key may be used for.'))
    .addArgument(new Argument('<list>', SCOPE_HELP).argParser(parseScopes))
    .action((id: string, scopes: Scope[] | null, _options, command: Command) =>
      printKey(
        context,
        command,
        id,
        ({ apiKeys }) => apiKeys.change(id, { scopes }),
        (key) => `${id} (${key.name}) has the scopes: ${key.scopes.join(', ')}.`
      )
    )
}

/** `petstore keys unban` */
export function unban (context: Context): Command {
  return withAuthor(keyCommand('unban', 'End the ban of a key and forget those before.')).action(
    (id: string, _options, command: Command) =>
      printKey(
        context,
        command,
        id,
        ({ apiKeys }) => apiKeys.change(id, { ban: null }),
        ({ name }, before) => `${id} (${name}) ${unbannedText(before.ban, context.clock.now())}`
      )
  )
}
