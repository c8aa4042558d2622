import { Command, Option } from 'commander'
import type { Order, OrderRepository } from '../domain/orders.js'
import { countOf } from './arguments.js'
import { tableOf } from './table.js'
import { withStorage } from './with-storage.js'

/** Orders that are read at a time. */
const BATCH = 1_000

export function ordersCommand (): Command {
  const orders = new Command('orders').description(
    'List and complete orders. A change applies to the next request, also of a server that is running.'
  )
  const add = (name: string, description: string) =>
    orders
      .command(name)
      .description(description)
      .addOption(new Option('--json', 'print one JSON object on the last line'))

  add('list', 'List all orders.').action(({ json }: { json?: boolean }) =>
    withStorage(async ({ orders }) => {
      const all = await allOf(orders)
      return json ? JSON.stringify({ orders: all }) : listText(all)
    })
  )
  add(
    'complete',
    'Say that the animals of an order were handed over. The last order of an animal of which nothing is in stock makes it sold.'
  )
    .argument('<id>', 'as orders list shows it', countOf)
    .addHelpText('after', '\nExample:\n  petstore orders complete 42')
    .action((id: number, { json }: { json?: boolean }, command: Command) =>
      withStorage(async ({ orders }) => {
        const order = (await orders.complete(id)) ?? command.error(`error: there is no order with the id '${id}'`)
        return json ? JSON.stringify(order) : `Order ${order.id} is complete: ${order.quantity} of pet ${order.petId}.`
      })
    )
  return orders
}

async function allOf (orders: OrderRepository): Promise<Order[]> {
  const all: Order[] = []
  for (let after: number | undefined = 0; after !== undefined;) {
    const { items, next } = await orders.list({ limit: BATCH, after })
    all.push(...items)
    after = next
  }
  return all
}

/** One line for each order. */
function listText (orders: Order[]): string {
  if (orders.length === 0) return 'There are no orders.'
  return tableOf(
    ['ID', 'PET', 'QUANTITY', 'SHIP DATE', 'STATE'],
    orders.map(({ id, petId, quantity, shipDate, complete }) =>
      [id, petId, quantity, shipDate ?? '', complete ? 'complete' : 'open'].map(String)
    )
  )
}
