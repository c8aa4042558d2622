import type { Pet, PetRepository, PetStatus } from '../../domain/pets.js'
import type { Database, Row } from '../database/database.js'
import { rowsOf } from './rows.js'

/**
 * The status that a pet is shown with: what is available, but not in stock, is pending. The index pets_by_status has
 * the same expression.
 */
export const STATUS = "CASE WHEN status = 'available' AND quantity = 0 THEN 'pending' ELSE status END"

const COLUMNS = `id, name, category_id, ${STATUS} AS status`

/** Makes the repository of the pets. */
export function petRepository (database: Database): PetRepository {
  const rows = rowsOf(database, { table: 'pets', columns: COLUMNS, filter: STATUS, toItem: toPet })
  return {
    async create ({ name, categoryId, status }) {
      const [row] = await database.write(
        `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
        [name, categoryId, status ?? null]
      )
      return toPet(row!)
    },

    find: (id) => rows.find(id),

    list: (page) => rows.list(page, page.status)
  }
}

function toPet (row: Row): Pet {
  const pet: Pet = {
    id: row.id as Pet['id'],
    name: row.name as string,
    categoryId: row.category_id as Pet['categoryId']
  }
  if (row.status !== null) pet.status = row.status as PetStatus
  return pet
}
