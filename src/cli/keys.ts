import { Command, InvalidArgumentError, Option } from 'commander'
import { hashSecret, newKeyId, newSecret, withoutSecrets, type ApiKey, type ApiKeyRepository } from '../domain/api-keys.js'
import { systemClock } from '../domain/clock.js'
import { PLAN_NAMES, quotaOf, type Plan } from '../domain/plans.js'
import { tableOf } from './table.js'
import { withStorage } from './with-storage.js'

interface CreateOptions { plan: Plan, name: string, perMinute?: number, perDay?: number, test?: boolean, json?: boolean }
interface JsonOption { json?: boolean }

export function keysCommand (): Command {
  const json = () => new Option('--json', 'print one JSON object on the last line')
  const keys = new Command('keys').description('Make, list and revoke API keys.')
  keys.command('create')
    .description('Make a key and print its secret, which is shown this once.')
    .addOption(new Option('--plan <plan>', 'whose limits apply').choices(PLAN_NAMES).default('free'))
    .option('--name <name>', 'what the key is for', nameOf, 'unnamed')
    .option('--per-minute <n>', 'requests a minute (enterprise only)', countOf)
    .option('--per-day <n>', 'requests a day (enterprise only)', countOf)
    .option('--test', 'a key that begins with pet_test_')
    .addOption(json())
    .addHelpText('after', '\nExamples:\n  petstore keys create --name "Mobile app"\n  petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 --json')
    .action(async (options: CreateOptions) => {
      quotaOf(options.plan, options) // wrong words must not leave an empty database behind
      await withStorage(({ apiKeys }) => create(options, apiKeys))
    })
  keys.command('list')
    .description('List all keys. Their secrets are not kept, so they cannot be shown.')
    .addOption(json())
    .action((options: JsonOption) => withStorage(({ apiKeys }) => list(options, apiKeys)))
  keys.command('revoke')
    .description('Refuse a key from the next request on.')
    .argument('<id>', 'as keys list shows it: key_…')
    .addOption(json())
    .action((id: string, options: JsonOption, command: Command) => withStorage(async ({ apiKeys }) => {
      const key = await apiKeys.revoke(id, new Date(systemClock.now()))
      if (!key) command.error(`error: there is no key with the id '${withoutSecrets(id)}'`)
      return options.json ? JSON.stringify(shown(key)) : `Revoked ${key.id} (${key.name}).`
    }))
  return keys
}

/** Makes a key; the secret that comes back with it is kept nowhere. */
export async function createKey (apiKeys: ApiKeyRepository, { plan, name, test, ...numbers }: Omit<CreateOptions, 'json'>): Promise<{ key: ApiKey, secret: string }> {
  const quota = quotaOf(plan, numbers)
  const secret = newSecret(test ? 'test' : 'live')
  const key: ApiKey = { id: newKeyId(), name, plan, quota, last4: secret.slice(-4), createdAt: new Date(systemClock.now()) }
  await apiKeys.create(key, hashSecret(secret))
  return { key, secret }
}

async function create (options: CreateOptions, apiKeys: ApiKeyRepository): Promise<string> {
  const { key, secret } = await createKey(apiKeys, options)
  if (options.json) return JSON.stringify({ ...shown(key), key: secret })
  return [
    `Made ${key.id} (${key.name}), plan ${key.plan}: ${key.quota.perMinute} requests a minute, ${key.quota.perDay} a day.`,
    '', `  ${secret}`, '',
    'Keep it now: it is stored only as a hash and cannot be shown again.'
  ].join('\n')
}

async function list ({ json }: JsonOption, apiKeys: ApiKeyRepository): Promise<string> {
  const keys = (await apiKeys.list()).map(shown)
  if (json) return JSON.stringify({ keys })
  if (keys.length === 0) return 'There are no keys. Make one with: keys create'
  return tableOf(['ID', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'LAST 4', 'CREATED', 'REVOKED'],
    keys.map(({ id, name, plan, perMinute, perDay, last4, created, revoked }) => [id, name, plan, perMinute, perDay, last4, created, revoked ?? '']))
}

function shown ({ id, name, plan, quota, last4, createdAt, revokedAt }: ApiKey) {
  return { id, name, plan, perMinute: quota.perMinute, perDay: quota.perDay, last4, created: createdAt.toISOString(), revoked: revokedAt?.toISOString() ?? null }
}

function countOf (text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

function nameOf (text: string): string {
  if (text.trim() === '' || text.length > 100 || /\p{Cc}/u.test(text)) throw new InvalidArgumentError('It must have 1 to 100 characters and no control characters.')
  return text
}
