import type { Pet, PetRepository, PetStatus } from '../domain/pets.js'
import type { Database, Row, Value } from './database.js'

const COLUMNS = 'id, name, category_id, status'

export function petRepository (database: Database): PetRepository {
  return {
    async create ({ name, categoryId, status }) {
      const [row] = await database.query(
        `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`, [name, categoryId, status ?? null])
      return toPet(row!)
    },

    async find (id) {
      const [row] = await database.query(`SELECT ${COLUMNS} FROM pets WHERE id = $1`, [BigInt(id)])
      return row && toPet(row)
    },

    async list ({ limit, after = 0, status }) {
      const values: Value[] = status === undefined ? [after, limit + 1] : [after, limit + 1, status]
      const rows = await database.query(
        `SELECT ${COLUMNS} FROM pets WHERE id > $1 ${status === undefined ? '' : 'AND status = $3'} ORDER BY id LIMIT $2`, values)
      const items = rows.slice(0, limit).map(toPet)
      return rows.length > limit ? { items, next: Number(items.at(-1)!.id) } : { items }
    }
  }
}

function toPet (row: Row): Pet {
  const pet: Pet = { id: row.id as Pet['id'], name: row.name as string, categoryId: row.category_id as Pet['categoryId'] }
  if (row.status !== null) pet.status = row.status as PetStatus
  return pet
}
