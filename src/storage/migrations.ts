/**
 * The schema's history, forward only. Each entry runs once, in a transaction of its own; what was released is never edited.
 * The version of a database is the number of entries that it has seen.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL,
    status TEXT
  ) STRICT;
  CREATE INDEX pets_by_status ON pets (status, id);

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    per_minute INTEGER,
    per_day INTEGER,
    last4 TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  `
]
