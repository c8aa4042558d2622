import { Command } from 'commander'
import type { Order, OrderRepository } from '../domain/orders.js'
import { CommandFailure } from './command-failure.js'
import type { Context } from './context.js'
import { parsePositiveInteger } from './terminal/arguments.js'
import { jsonCommand } from './terminal/json-command.js'
import type { Progress } from './terminal/progress.js'
import { settingsHelp } from './terminal/settings-help.js'
import { tableOrRecords } from './terminal/table.js'
import { withStorage } from './with-storage.js'

/** Orders that are read at a time. */
const BATCH = 1_000

/** `petstore orders`: what the operator of the shop does with orders. */
export function ordersCommand (context: Context): Command {
  return new Command('orders')
    .description('List and complete orders. A change applies to the next request, also of a server that is running.')
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
    .addCommand(list(context))
    .addCommand(complete(context))
}

function list (context: Context): Command {
  return jsonCommand('list', 'List all orders.').action(({ json }: { json?: boolean }) =>
    withStorage(context, async ({ orders }, progress) => {
      const all = await readAll(orders, progress)
      return json ? JSON.stringify({ orders: all }) : listText(all, context.out.stdout.columns)
    })
  )
}

function complete (context: Context): Command {
  return jsonCommand(
    'complete',
    'Say that the animals of an order were handed over. ' +
      'The last order of an animal of which nothing is in stock makes it sold.'
  )
    .argument('<id>', 'as orders list shows it', parsePositiveInteger)
    .addHelpText('after', '\nExample:\n  petstore orders complete 42')
    .action((id: number, { json }: { json?: boolean }) =>
      withStorage(context, async ({ orders }) => {
        const order = await orders.complete(id)
        if (!order) throw new CommandFailure(`There is no order with the id '${id}'.`)
        return json ? JSON.stringify(order) : `Order ${order.id} is complete: ${order.quantity} of pet ${order.petId}.`
      })
    )
}

async function readAll (orders: OrderRepository, progress: Progress): Promise<Order[]> {
  const all: Order[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const { items, next } = await orders.list({ limit: BATCH, after })
    all.push(...items)
    after = next
    progress.show(`${all.length} orders read`)
  }
  return all
}

/** Writes one line for each order, or a record where a terminal is too narrow for that. */
function listText (orders: Order[], columns?: number): string {
  if (orders.length === 0) return 'There are no orders.'
  return tableOrRecords(
    ['ID', 'PET', 'QUANTITY', 'SHIP DATE', 'STATE'],
    orders.map(({ id, petId, quantity, shipDate, complete }) =>
      [id, petId, quantity, shipDate ?? '', complete ? 'complete' : 'open'].map(String)
    ),
    columns
  )
}
