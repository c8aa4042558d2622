// The same as pets.js, over SQLite on disk, with the durability that the service has.
import { readFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { BASE_PATH } from './service.js'

const database = new DatabaseSync(process.env.BENCH_DATABASE)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT NOT NULL);
  CREATE INDEX pets_by_status ON pets (status, id);
`)
const insert = database.prepare('INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)')
const COLUMNS = 'id, name, category_id AS categoryId, status'
const byId = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id = ?`)
const all = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`)
const byStatus = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`)

database.exec('BEGIN')
for (const pet of JSON.parse(readFileSync(process.env.BENCH_PETS, 'utf8'))) createPet(pet)
database.exec('COMMIT')

/** A page of pets, and the `Link` to the next one; undefined behind the last. */
export function listPets ({ limit = 20, status, cursor }) {
  const after = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  const rows = status === undefined ? all.all(after, limit + 1) : byStatus.all(status, after, limit + 1)
  const items = rows.slice(0, limit)
  if (rows.length <= limit) return { items, link: undefined }
  const query = status === undefined ? '' : `&status=${status}`
  const next = Buffer.from(String(items.at(-1).id)).toString('base64url')
  return { items, link: `<${BASE_PATH}/pets?limit=${limit}${query}&cursor=${next}>; rel="next"` }
}

/** The pet with an id. */
export function getPet (petId) {
  return byId.get(Number(petId))
}

/** Adds a pet, durably. */
export function createPet ({ name, categoryId, status }) {
  const { lastInsertRowid } = insert.run(name, categoryId, status)
  return { id: Number(lastInsertRowid), name, categoryId, status }
}
