import type { Category, CategoryRepository } from '../../domain/pets.js'
import type { Database, Row } from '../database/database.js'
import { rowsOf } from './rows.js'

const COLUMNS = 'id, name, description'

/** Makes the repository of the categories. */
export function categoryRepository (database: Database): CategoryRepository {
  const rows = rowsOf(database, { table: 'categories', columns: COLUMNS, toItem: toCategory })
  return {
    async create ({ name, description }) {
      const [row] = await database.write(
        `INSERT INTO categories (name, description) VALUES ($1, $2) RETURNING ${COLUMNS}`,
        [name, description ?? null]
      )
      return toCategory(row!)
    },

    list: (page) => rows.list(page)
  }
}

function toCategory (row: Row): Category {
  const category: Category = { id: row.id as Category['id'], name: row.name as string }
  if (row.description !== null) category.description = row.description as string
  return category
}
