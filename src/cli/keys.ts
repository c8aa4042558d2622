import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import {
  hashSecret,
  isValid,
  newKeyId,
  newSecret,
  withoutSecrets,
  type ApiKey,
  type ApiKeyRepository
} from '../domain/api-keys.js'
import { systemClock, type Clock } from '../domain/clock.js'
import { PLAN_NAMES, quotaOf, type Plan } from '../domain/plans.js'
import { SCOPE_NAMES, type Scope } from '../domain/scopes.js'
import type { Repositories } from '../storage/open.js'
import type { Context } from './context.js'
import { parseDuration, parseExpiry, parseKeyName, parsePositiveInteger, parseScopes } from './terminal/arguments.js'
import { jsonCommand } from './terminal/json-command.js'
import { createdText, keyText, limitsText, listText, rotatedText, viewOf, type KeyView } from './terminal/key-text.js'
import { withStorage } from './with-storage.js'

const SCOPE_HELP = `what it may be used for: all, scopes of later versions too, or some of ${SCOPE_NAMES.join(',')}`
const EXPIRY_HELP = 'a duration (30d), a date (2027-01-31), an instant (2027-01-31T12:00:00Z) or never'

interface Limits {
  perMinute?: number
  perDay?: number
}
interface NewKey extends Limits {
  plan: Plan
  name: string
  test?: boolean
  scopes?: Scope[] | null
  expires?: Date | null
}

/** `petstore keys`: what the operator does with API keys. */
export function keysCommand (context: Context): Command {
  const keys = new Command('keys').description(
    'Make, list and change API keys. A change applies to the next request, also of a server that is running.'
  )
  for (const subcommand of [create, list, show, rotate, revoke, expire, plan, scopes, unban]) {
    keys.addCommand(subcommand(context))
  }
  return keys
}

function create (context: Context): Command {
  const command = jsonCommand('create', 'Make a key and print its secret, which is shown this once.')
    .addOption(new Option('--plan <plan>', 'whose limits apply').choices(PLAN_NAMES).default('free'))
    .option('--name <name>', 'what the key is for', parseKeyName, 'unnamed')
  return withLimits(command)
    .option('--scopes <list>', SCOPE_HELP, parseScopes)
    .option('--expires <when>', 'a duration (30d), a date or an instant', futureOf(context.clock))
    .option('--test', 'a key that begins with pet_test_')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys create --name "Mobile app" --scopes pets:read,store:read --expires 90d' +
        '\n  petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 --json'
    )
    .action(async (options: NewKey & { json?: boolean }) => {
      quotaOf(options.plan, options) // wrong words must not leave an empty database behind
      await withStorage(context, async ({ apiKeys }) => {
        const { key, secret } = await createKey(apiKeys, options, context.clock)
        const view = viewOf(key, undefined, context.clock.now())
        return options.json ? JSON.stringify({ ...view, key: secret }) : createdText(view, secret)
      })
    })
}

function list (context: Context): Command {
  return jsonCommand('list', 'List all keys. Their secrets are not kept, so they cannot be shown.').action(
    ({ json }: { json?: boolean }) =>
      withStorage(context, async ({ apiKeys, usage }) => {
        const now = context.clock.now()
        const used = await usage.usageOf(now)
        const keys = (await apiKeys.list()).map((key) => viewOf(key, used.get(key.id), now))
        return json ? JSON.stringify({ keys }) : listText(keys)
      })
  )
}

function show (context: Context): Command {
  return keyCommand('show', 'Show all about one key.').action((id: string, _options, command: Command) =>
    printKey(context, command, id, ({ apiKeys }) => apiKeys.find(id), keyText)
  )
}

function rotate (context: Context): Command {
  const overlap = new Option('--overlap <duration>', 'how long: 90s, 15m, 24h, 30d')
  return keyCommand('rotate', 'Give a key a new secret; the one before stays good for a while.')
    .addOption(overlap.argParser(parseDuration).default(parseDuration('24h'), '24h'))
    .addHelpText('after', '\nExample:\n  petstore keys rotate key_… --overlap 24h')
    .action((id: string, { overlap, json }: { overlap: number; json?: boolean }, command: Command) =>
      withStorage(context, async (repositories) => {
        const now = context.clock.now()
        const before = found(await repositories.apiKeys.find(id), id, command)
        if (!isValid(before, now)) command.error('error: this key is revoked or has expired')
        const secret = newSecret(before.kind)
        const kept = { hash: hashSecret(secret), last4: secret.slice(-4) }
        const rotated = await repositories.apiKeys.rotate(id, kept, new Date(now + overlap))
        const view = await readView(repositories, found(rotated, id, command), now)
        return json ? JSON.stringify({ ...view, key: secret }) : rotatedText(view, secret)
      })
    )
}

function revoke (context: Context): Command {
  return keyCommand('revoke', 'Refuse a key for ever.').action((id: string, _options, command: Command) =>
    printKey(
      context,
      command,
      id,
      ({ apiKeys }) => apiKeys.revoke(id, new Date(context.clock.now())),
      ({ name }) => `Revoked ${id} (${name}).`
    )
  )
}

function expire (context: Context): Command {
  return keyCommand('expire', 'Say until when a key is good.')
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

function plan (context: Context): Command {
  const command = keyCommand('plan', 'Change the plan of a key; what it has used counts on.')
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

function scopes (context: Context): Command {
  return keyCommand('scopes', 'Change what a key may be used for.')
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

function unban (context: Context): Command {
  return keyCommand('unban', 'End the ban of a key and forget those before.').action(
    (id: string, _options, command: Command) =>
      printKey(
        context,
        command,
        id,
        ({ apiKeys }) => apiKeys.change(id, { ban: null }),
        ({ name }) => `${id} (${name}) is not banned.`
      )
  )
}

/** Makes a key and stores it; the secret that comes back with it is kept nowhere. */
export async function createKey (
  apiKeys: ApiKeyRepository,
  { plan, name, test, scopes, expires, ...limits }: NewKey,
  clock: Clock = systemClock
): Promise<{ key: ApiKey; secret: string }> {
  const kind = test ? 'test' : 'live'
  const secret = newSecret(kind)
  const key: ApiKey = {
    id: newKeyId(),
    kind,
    name,
    plan,
    quota: quotaOf(plan, limits),
    ...(scopes ? { scopes } : {}),
    last4: secret.slice(-4),
    createdAt: new Date(clock.now()),
    ...(expires ? { expiresAt: expires } : {})
  }
  await apiKeys.create(key, hashSecret(secret))
  return { key, secret }
}

/** A subcommand about one key. */
function keyCommand (name: string, description: string): Command {
  return jsonCommand(name, description).argument('<id>', 'as keys list shows it: key_…')
}

function withLimits (command: Command): Command {
  return command
    .option('--per-minute <n>', 'requests a minute (enterprise only)', parsePositiveInteger)
    .option('--per-day <n>', 'requests a day (enterprise only)', parsePositiveInteger)
}

/** Finds or changes one key and prints what it is then: as JSON, or in the text that `describe` makes of it. */
async function printKey (
  context: Context,
  command: Command,
  id: string,
  findOrChange: (repositories: Repositories) => Promise<ApiKey | undefined>,
  describe: (key: KeyView) => string
): Promise<void> {
  await withStorage(context, async (repositories) => {
    const key = found(await findOrChange(repositories), id, command)
    const view = await readView(repositories, key, context.clock.now())
    return command.opts<{ json?: boolean }>().json ? JSON.stringify(view) : describe(view)
  })
}

async function readView ({ usage }: Repositories, key: ApiKey, now: number): Promise<KeyView> {
  return viewOf(key, (await usage.usageOf(now)).get(key.id), now)
}

function found (key: ApiKey | undefined, id: string, command: Command): ApiKey {
  return key ?? command.error(`error: there is no key with the id '${withoutSecrets(id)}'`)
}

/** Gives the parser of a time at which a key ends, which may not have passed. */
function futureOf ({ now }: Clock): (text: string) => Date | null {
  return (text) => {
    const date = parseExpiry(text, now())
    if (date && date.valueOf() <= now()) throw new InvalidArgumentError('It must lie in the future.')
    return date
  }
}
