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
  `,
  `
  ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'live';
  ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN ban_level INTEGER;
  ALTER TABLE api_keys ADD COLUMN banned_until INTEGER;
  ALTER TABLE api_keys ADD COLUMN previous_hash BLOB;
  ALTER TABLE api_keys ADD COLUMN previous_until INTEGER;
  CREATE UNIQUE INDEX api_keys_by_previous_hash ON api_keys (previous_hash);

  CREATE TABLE usage (
    key_id TEXT NOT NULL,
    "window" TEXT NOT NULL,
    start INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (key_id, "window")
  ) STRICT;
  `,
  `
  ALTER TABLE pets ADD COLUMN quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity >= 0);
  DROP INDEX pets_by_status;
  CREATE INDEX pets_by_status ON pets ((CASE WHEN status = 'available' AND quantity = 0 THEN 'pending' ELSE status END), id);

  CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    description TEXT
  ) STRICT;

  CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pet_id INTEGER NOT NULL REFERENCES pets (id),
    quantity INTEGER NOT NULL,
    ship_date TEXT,
    complete INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX open_orders_by_pet ON orders (pet_id) WHERE complete = 0;
  `,
  `
  CREATE TABLE idempotency_keys (
    caller TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    status INTEGER,
    headers TEXT,
    body TEXT,
    PRIMARY KEY (caller, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_by_created_at ON idempotency_keys (created_at);
  `,
  `
  ALTER TABLE api_keys ADD COLUMN scopes TEXT;
  `
]
