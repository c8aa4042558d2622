import { Option, type Command } from 'commander'
import { PLAN_NAMES, type Plan } from '../../domain/plans.js'
import type { Context } from '../context.js'
import { jsonCommand } from '../terminal/json-command.js'
import { KEY_STATES, keyStateOf, listText, type KeyState, type KeyView } from '../terminal/key-text.js'
import { gatherUsage, withStorage } from '../with-storage.js'
import { viewsOf } from './key-command.js'

/** What a list can be sorted by: what is greater comes later, but most use and newest use come first. */
const ORDERS = {
  created: (one: KeyView, other: KeyView) => compare(one.created, other.created),
  name: (one: KeyView, other: KeyView) => one.name.localeCompare(other.name, 'en', { numeric: true }),
  plan: (one: KeyView, other: KeyView) =>
    PLAN_NAMES.indexOf(one.plan as Plan) - PLAN_NAMES.indexOf(other.plan as Plan),
  used: (one: KeyView, other: KeyView) => other.usedToday - one.usedToday,
  'last-used': (one: KeyView, other: KeyView) => compare(other.lastUsed ?? '', one.lastUsed ?? '')
}

interface Options {
  plan?: Plan
  state?: KeyState
  name?: string
  sort: keyof typeof ORDERS
  json?: boolean
}

/** `petstore keys list` */
export function list (context: Context): Command {
  return jsonCommand('list', 'List all keys, or some. Their secrets are not kept, so they cannot be shown.')
    .addOption(new Option('--plan <plan>', 'only those on a plan').choices(PLAN_NAMES))
    .addOption(new Option('--state <state>', 'only those in a state').choices(KEY_STATES))
    .option('--name <text>', 'only those with this text in their name, in large or small letters')
    .addOption(new Option('--sort <by>', 'in which order').choices(Object.keys(ORDERS)).default('created'))
    .addHelpText('after', '\nExample:\n  petstore keys list --plan pro --state active --sort used')
    .action((options: Options) =>
      withStorage(context, async (repositories, progress) => {
        await gatherUsage(repositories, context, progress)
        const all = await viewsOf(repositories, await repositories.apiKeys.list(), context.clock.now())
        const keys = all.filter((key) => isWanted(key, options)).sort(ORDERS[options.sort])
        if (options.json) return JSON.stringify({ keys })
        if (all.length === 0) return `There are no keys. Make one with: ${context.program} keys create`
        return keys.length === 0 ? 'No key is like that.' : listText(keys, context.out.stdout.columns)
      })
    )
}

function isWanted (key: KeyView, { plan, state, name = '' }: Options): boolean {
  if (plan !== undefined && key.plan !== plan) return false
  if (state !== undefined && keyStateOf(key) !== state) return false
  return key.name.toLowerCase().includes(name.toLowerCase())
}

function compare (one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
