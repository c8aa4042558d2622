import type { Category, CategoryRepository } from '../../domain/categories.js'
import type { Database, Row } from '../database/database.js'
import { readPage } from './pages.js'

const COLUMNS = 'id, name, description'

/** Makes the repository of the categories. */
export function categoryRepository (database: Database): CategoryRepository {
  return {
    async create ({ name, description }) {
      const [row] = await database.write(
        `INSERT INTO categories (name, description) VALUES ($1, $2) RETURNING ${COLUMNS}`,
        [name, description ?? null]
      )
      return toCategory(row!)
    },

    list: (page) => readPage(database, { table: 'categories', columns: COLUMNS }, page, toCategory)
  }
}

function toCategory (row: Row): Category {
  const category: Category = { id: row.id as Category['id'], name: row.name as string }
  if (row.description !== null) category.description = row.description as string
  return category
}
