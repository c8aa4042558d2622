import type { InventoryItem, InventoryRepository } from '../../domain/inventory.js'
import type { PetStatus } from '../../domain/pets.js'
import type { Database, Row } from '../database/database.js'
import { rowsOf } from './rows.js'
import { STATUS } from './pets.js'

const COLUMNS = `id, quantity, ${STATUS} AS status`

/** Makes the repository of the stock, a column of the table of pets, so that each of them has it from the beginning. */
export function inventoryRepository (database: Database): InventoryRepository {
  const rows = rowsOf(database, { table: 'pets', columns: COLUMNS, filter: STATUS, toItem })
  return {
    list: (page) => rows.list(page, page.status),

    async update (petId, { quantity }) {
      const [row] = await database.write(`UPDATE pets SET quantity = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [
        BigInt(petId),
        quantity
      ])
      return row && toItem(row)
    }
  }
}

function toItem (row: Row): InventoryItem {
  const item: InventoryItem = {
    petId: row.id as InventoryItem['petId'],
    quantity: row.quantity as InventoryItem['quantity']
  }
  if (row.status !== null) item.status = row.status as PetStatus
  return item
}
