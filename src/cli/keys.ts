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
import { systemClock } from '../domain/clock.js'
import { PLAN_NAMES, quotaOf, type Plan } from '../domain/plans.js'
import { SCOPE_NAMES, type Scope } from '../domain/scopes.js'
import type { Repositories } from '../storage/open.js'
import { countOf, durationOf, momentOf, nameOf, scopesOf } from './arguments.js'
import { keyText, listText, shown, type Shown } from './key-text.js'
import { withStorage } from './with-storage.js'

const SCOPE_HELP = `what it may be used for: all, scopes of later versions too, or some of ${SCOPE_NAMES.join(',')}`

interface Numbers {
  perMinute?: number
  perDay?: number
}
interface NewKey extends Numbers {
  plan: Plan
  name: string
  test?: boolean
  scopes?: Scope[] | null
  expires?: Date | null
}
type Changed = (repositories: Repositories, id: string) => Promise<ApiKey | undefined>

export function keysCommand (): Command {
  const keys = new Command('keys').description(
    'Make, list and change API keys. A change applies to the next request, also of a server that is running.'
  )
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .addOption(new Option('--json', 'print one JSON object on the last line'))
  const addOne = (name: string, description: string) =>
    add(name, description).argument('<id>', 'as keys list shows it: key_…')

  addNumbers(
    add('create', 'Make a key and print its secret, which is shown this once.')
      .addOption(new Option('--plan <plan>', 'whose limits apply').choices(PLAN_NAMES).default('free'))
      .option('--name <name>', 'what the key is for', nameOf, 'unnamed')
  )
    .option('--scopes <list>', SCOPE_HELP, scopesOf)
    .option('--expires <when>', 'a duration (30d), a date or an instant', moment)
    .option('--test', 'a key that begins with pet_test_')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys create --name "Mobile app" --scopes pets:read,store:read --expires 90d\n  petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 --json'
    )
    .action(async (options: NewKey & { json?: boolean }) => {
      quotaOf(options.plan, options) // wrong words must not leave an empty database behind
      await withStorage(async ({ apiKeys }) => {
        const { key, secret } = await createKey(apiKeys, options)
        return secretText(
          `Made ${key.id} (${key.name}), plan ${key.plan}: ${key.quota.perMinute} requests a minute, ${key.quota.perDay} a day.${key.scopes ? ` Scopes: ${key.scopes.join(', ')}.` : ''}`,
          shown(key, undefined, now()),
          secret,
          options.json
        )
      })
    })
  add('list', 'List all keys. Their secrets are not kept, so they cannot be shown.').action(
    ({ json }: { json?: boolean }) =>
      withStorage(async (repositories) => {
        const usage = await repositories.usage.usageOf(now())
        const all = (await repositories.apiKeys.list()).map((key) => shown(key, usage.get(key.id), now()))
        return json ? JSON.stringify({ keys: all }) : listText(all)
      })
  )
  addOne('show', 'Show all about one key.').action(changing(({ apiKeys }, id) => apiKeys.find(id), keyText))
  addOne('rotate', 'Give a key a new secret; the one before stays good for a while.')
    .addOption(
      new Option('--overlap <duration>', 'how long: 90s, 15m, 24h, 30d')
        .argParser(durationOf)
        .default(durationOf('24h'), '24h')
    )
    .addHelpText('after', '\nExample:\n  petstore keys rotate key_… --overlap 24h')
    .action((id: string, { overlap, json }: { overlap: number; json?: boolean }, command: Command) =>
      withStorage(async (repositories) => {
        const before = found(await repositories.apiKeys.find(id), id, command)
        if (!isValid(before, now())) command.error('error: this key is revoked or has expired')
        const secret = newSecret(before.kind)
        const rotated = await repositories.apiKeys.rotate(
          id,
          { hash: hashSecret(secret), last4: secret.slice(-4) },
          new Date(now() + overlap)
        )
        const view = await viewOf(repositories, found(rotated, id, command))
        const until = view.previousSecretUntil ? `good until ${view.previousSecretUntil}` : 'not good any more'
        return secretText(`${id} (${view.name}) has a new secret. The one before is ${until}.`, view, secret, json)
      })
    )
  addOne('revoke', 'Refuse a key for ever.').action(
    changing(
      ({ apiKeys }, id) => apiKeys.revoke(id, new Date(now())),
      ({ id, name }) => `Revoked ${id} (${name}).`
    )
  )
  addOne('expire', 'Say until when a key is good.')
    .addArgument(
      new Argument(
        '<when>',
        'a duration (30d), a date (2027-01-31), an instant (2027-01-31T12:00:00Z) or never'
      ).argParser(moment)
    )
    .action((id: string, when: Date | null, options: { json?: boolean }, command: Command) =>
      changing(
        ({ apiKeys }) => apiKeys.change(id, { expiresAt: when }),
        ({ name, expires, revoked }) =>
          `${id} (${name}) expires: ${expires ?? 'never'}${revoked ? '; it is revoked' : ''}.`
      )(id, options, command)
    )
  addNumbers(
    addOne('plan', 'Change the plan of a key; what it has used counts on.').addArgument(
      new Argument('<plan>', 'whose limits apply').choices(PLAN_NAMES)
    )
  ).action(async (id: string, plan: Plan, options: Numbers & { json?: boolean }, command: Command) => {
    const quota = quotaOf(plan, options)
    await changing(
      ({ apiKeys }) => apiKeys.change(id, { plan, quota }),
      ({ name }) =>
        `${id} (${name}) is on the plan ${plan}: ${quota.perMinute} requests a minute, ${quota.perDay} a day.`
    )(id, options, command)
  })
  addOne('scopes', 'Change what a key may be used for.')
    .addArgument(new Argument('<list>', SCOPE_HELP).argParser(scopesOf))
    .action((id: string, scopes: Scope[] | null, options: { json?: boolean }, command: Command) =>
      changing(
        ({ apiKeys }) => apiKeys.change(id, { scopes }),
        (key) => `${id} (${key.name}) has the scopes: ${key.scopes.join(', ')}.`
      )(id, options, command)
    )
  addOne('unban', 'End the ban of a key and forget those before.').action(
    changing(
      ({ apiKeys }, id) => apiKeys.change(id, { ban: null }),
      ({ id, name }) => `${id} (${name}) is not banned.`
    )
  )
  return keys
}

/** Makes a key; the secret that comes back with it is kept nowhere. */
export async function createKey (
  apiKeys: ApiKeyRepository,
  { plan, name, test, scopes, expires, ...numbers }: NewKey
): Promise<{ key: ApiKey; secret: string }> {
  const kind = test ? 'test' : 'live'
  const secret = newSecret(kind)
  const key: ApiKey = {
    id: newKeyId(),
    kind,
    name,
    plan,
    quota: quotaOf(plan, numbers),
    ...(scopes ? { scopes } : {}),
    last4: secret.slice(-4),
    createdAt: new Date(now()),
    ...(expires ? { expiresAt: expires } : {})
  }
  await apiKeys.create(key, hashSecret(secret))
  return { key, secret }
}

/** The action of a subcommand that looks at or changes one key and says so. */
function changing (change: Changed, say: (key: Shown) => string) {
  return (id: string, { json }: { json?: boolean }, command: Command): Promise<void> =>
    withStorage(async (repositories) => {
      const key = found(await change(repositories, id), id, command)
      const view = await viewOf(repositories, key)
      return json ? JSON.stringify(view) : say(view)
    })
}

async function viewOf ({ usage }: Repositories, key: ApiKey): Promise<Shown> {
  return shown(key, (await usage.usageOf(now())).get(key.id), now())
}

function found (key: ApiKey | undefined, id: string, command: Command): ApiKey {
  return key ?? command.error(`error: there is no key with the id '${withoutSecrets(id)}'`)
}

function secretText (sentence: string, key: Shown, secret: string, json = false): string {
  if (json) return JSON.stringify({ ...key, key: secret })
  return `${sentence}\n\n  ${secret}\n\nKeep it now: it is stored only as a hash and cannot be shown again.`
}

function addNumbers (command: Command): Command {
  return command
    .option('--per-minute <n>', 'requests a minute (enterprise only)', countOf)
    .option('--per-day <n>', 'requests a day (enterprise only)', countOf)
}

function moment (text: string): Date | null {
  const date = momentOf(text, now())
  if (date && date.valueOf() <= now()) throw new InvalidArgumentError('It must lie in the future.')
  return date
}

function now (): number {
  return systemClock.now()
}
