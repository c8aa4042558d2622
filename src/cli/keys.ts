import { Command, Option } from 'commander'
import { newKeyId, newSecret, sha256, type ApiKey, type ApiKeyRepository } from '../domain/api-keys.js'
import { systemClock, type Clock } from '../domain/clock.js'
import { PLAN_NAMES, quotaOf, type Plan } from '../domain/plans.js'
import type { Scope } from '../domain/scopes.js'
import type { Repositories } from '../storage/open.js'
import type { Context } from './context.js'
import { expire, plan, rename, revoke, rotate, scopes, unban } from './keys/changes.js'
import { history } from './keys/history.js'
import {
  authorOf,
  futureOf,
  keyCommand,
  printKey,
  SCOPE_HELP,
  withAuthor,
  withLimits,
  type Limits
} from './keys/key-command.js'
import { list } from './keys/list.js'
import { usage } from './keys/usage.js'
import { parseKeyName, parseScopes } from './terminal/arguments.js'
import { jsonCommand } from './terminal/json-command.js'
import { createdText, keyText, viewOf } from './terminal/key-text.js'
import { issueSecret } from './terminal/secret.js'
import { settingsHelp } from './terminal/settings-help.js'
import { withStorage } from './with-storage.js'

interface NewKey extends Limits {
  plan: Plan
  name: string
  test?: boolean
  scopes?: Scope[] | null
  expires?: Date | null
}

/** `petstore keys`: what the operator does with API keys. */
export function keysCommand (context: Context): Command {
  const keys = new Command('keys')
    .description(
      'Make, list and change API keys. A change applies to the next request, also of a server that is running.'
    )
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
  for (const subcommand of [create, list, show, usage, history, rename, plan, scopes, expire, rotate, unban, revoke]) {
    keys.addCommand(subcommand(context))
  }
  return keys
}

function create (context: Context): Command {
  const command = jsonCommand('create', 'Make a key and print its secret, which is shown this once.')
    .addOption(new Option('--plan <plan>', 'whose limits apply').choices(PLAN_NAMES).default('free'))
    .option('--name <name>', 'what the key is for', parseKeyName, 'unnamed')
  return withAuthor(withLimits(command))
    .option('--scopes <list>', SCOPE_HELP, parseScopes)
    .option('--expires <when>', 'a duration (30d), a date or an instant', futureOf(context.clock))
    .option('--test', 'a key that begins with pet_test_')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys create --name "Mobile app" --scopes pets:read,store:read --expires 90d' +
        '\n  petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 --json'
    )
    .action(async (options: NewKey & { json?: boolean; by?: string }) => {
      quotaOf(options.plan, options) // wrong words must not leave an empty database behind
      const makeKey = async ({ apiKeys }: Repositories): Promise<void> => {
        const { key, secret } = newKey(options, context.clock)
        const view = viewOf(key, {}, context.clock.now())
        const text = options.json ? JSON.stringify({ ...view, key: secret }) : createdText(view, secret)
        await issueSecret(context.out, text, () => apiKeys.create(key, sha256(secret)))
      }
      await withStorage(context, makeKey, { by: authorOf(options) })
    })
}

function show (context: Context): Command {
  return keyCommand('show', 'Show all about one key.').action((id: string, _options, command: Command) =>
    printKey(context, command, id, ({ apiKeys }) => apiKeys.find(id), keyText)
  )
}

/** Makes a key and stores it; the secret that comes back with it is kept nowhere. */
export async function createKey (
  apiKeys: ApiKeyRepository,
  options: NewKey,
  clock: Clock = systemClock
): Promise<ReturnType<typeof newKey>> {
  const made = newKey(options, clock)
  await apiKeys.create(made.key, sha256(made.secret))
  return made
}

function newKey ({ plan, name, test, scopes, expires, ...limits }: NewKey, clock: Clock) {
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
  return { key, secret }
}
