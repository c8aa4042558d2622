import type { Order, OrderRefusal, OrderRepository } from '../../domain/orders.js'
import type { Database, Row, Run } from '../database/database.js'
import { rowsOf } from './rows.js'

const COLUMNS = 'id, pet_id, quantity, ship_date, complete'

/** Makes the repository of the orders. Placing, cancelling and completing one change the stock of its pet with it. */
export function orderRepository (database: Database): OrderRepository {
  const rows = rowsOf(database, { table: 'orders', columns: COLUMNS, toItem: toOrder })
  return {
    place: ({ petId, quantity, shipDate }) =>
      database.transaction(async ({ read, write }) => {
        const [taken] = await write(
          `UPDATE pets SET quantity = quantity - $2
           WHERE id = $1 AND quantity >= $2 AND status IS DISTINCT FROM 'sold' RETURNING id`,
          [BigInt(petId), quantity]
        )
        if (!taken) return await refusalOf(read, petId)
        const [row] = await write(
          `INSERT INTO orders (pet_id, quantity, ship_date) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
          [BigInt(petId), quantity, shipDate ?? null]
        )
        return toOrder(row!)
      }),

    cancel: (id) =>
      database.transaction(async ({ read, write }) => {
        const [cancelled] = await write(
          'DELETE FROM orders WHERE id = $1 AND complete = 0 RETURNING pet_id, quantity',
          [BigInt(id)]
        )
        if (!cancelled) return (await find(read, id)) ? 'complete' : 'unknown order'
        await write('UPDATE pets SET quantity = quantity + $2 WHERE id = $1', [cancelled.pet_id!, cancelled.quantity!])
        return 'cancelled'
      }),

    complete: (id) =>
      database.transaction(async ({ read, write }) => {
        const [completed] = await write(
          'UPDATE orders SET complete = 1 WHERE id = $1 AND complete = 0 RETURNING pet_id',
          [BigInt(id)]
        )
        if (completed) await sellOut(write, completed.pet_id as Order['petId'])
        return await find(read, id)
      }),

    find: async (id) => (await rows.find(id))?.value,

    list: (page) => rows.list(page)
  }
}

async function find (read: Run, id: Order['id']): Promise<Order | undefined> {
  const [row] = await read(`SELECT ${COLUMNS} FROM orders WHERE id = $1`, [BigInt(id)])
  return row && toOrder(row)
}

async function refusalOf (read: Run, petId: Order['petId']): Promise<OrderRefusal> {
  const [pet] = await read('SELECT status FROM pets WHERE id = $1', [BigInt(petId)])
  if (!pet) return 'unknown pet'
  return pet.status === 'sold' ? 'sold' : 'too few in stock'
}

/** Makes a pet sold when nothing of it is in stock and no order of it is open. */
async function sellOut (write: Run, petId: Order['petId']): Promise<void> {
  // Locks the pet where rows are locked one by one, so that nobody takes or gives back stock while its orders are
  // looked at.
  await write('UPDATE pets SET quantity = quantity WHERE id = $1', [petId])
  await write(
    `UPDATE pets SET status = 'sold'
     WHERE id = $1 AND quantity = 0 AND NOT EXISTS (SELECT 1 FROM orders WHERE pet_id = $1 AND complete = 0)`,
    [petId]
  )
}

function toOrder (row: Row): Order {
  return {
    id: row.id as Order['id'],
    petId: row.pet_id as Order['petId'],
    quantity: row.quantity as Order['quantity'],
    ...(row.ship_date === null ? {} : { shipDate: row.ship_date as string }),
    complete: row.complete === 1
  }
}
