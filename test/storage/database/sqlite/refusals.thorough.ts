import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { runProgram } from '../../../../scripts/cluster/program.js'
import { ordinaryUser } from '../../../../scripts/cluster/user.js'
import { MIGRATIONS } from '../../../../src/storage/database/migrations.js'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { smallDisk } from '../../../support/leave-out.js'

/**
 * Seconds from the start of the program to its refusal: ten times what it takes on a machine with nothing else to do.
 */
const SOON = 20

interface Case {
  what: string
  /** Turns the healthy database at this path into the faulty one. */
  spoil: (path: string) => void
  /** What the program is given instead, and what of it the sentence names. */
  at?: (path: string) => string
  names?: (path: string) => string
  says: RegExp
  code?: 75 | 78
}

t.jobs = 2

const restore =
  /is damaged or is not a database\. Restore a backup, or move the file away to begin with an empty database\.$/
const schema = (version: number, fault: string): RegExp =>
  new RegExp(
    `is damaged: it says that its schema has the version ${version}, but ${fault}\\. ` +
      'Restore a backup, or move the file away to begin with an empty database\\.$'
  )
const permissions = /cannot be opened for writing\. Check the permissions of the file and of its folder\.$/

/** The bytes of a database with 500 pets: some 10 pages. */
const healthy = await (async () => {
  const path = join(t.testdir(), 'healthy.db')
  const database = openSqlite(path, { owner: true })
  await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      database.write('INSERT INTO pets (name, category_id) VALUES ($1, 1)', [`Pet ${index} ${'x'.repeat(60)}`])
    )
  )
  await database.close()
  return readFileSync(path)
})()

function overwrite (path: string, from: number, to: number): void {
  writeFileSync(path, Buffer.concat([healthy.subarray(0, from), Buffer.alloc(to - from, 0xa5), healthy.subarray(to)]))
}

function alter (path: string, sql: string): void {
  const file = new DatabaseSync(path)
  file.exec(sql)
  file.close()
}

interface Refusal {
  path: string
  says: RegExp
  names?: string
  code?: number
  as?: object
  args?: string[]
}

async function refuses (
  t: Test,
  { path, says, names = path, code = 78, as = {}, args = ['serve'] }: Refusal
): Promise<void> {
  const beside = () => ['-wal', '-shm'].filter((ending) => existsSync(path + ending))
  const before = beside()
  const started = performance.now()
  const ended = await runProgram(args, { PORT: '0', DATABASE_URL: `sqlite:${path}` }, as)
  const seconds = (performance.now() - started) / 1000
  t.equal(ended.code, code)
  t.equal(ended.stdout, '')
  t.equal(ended.stderr.trimEnd().split('\n').length, 1, 'one line')
  t.match(ended.stderr.trimEnd(), says)
  t.match(ended.stderr, names, 'names the file')
  // SQLite cannot always take away again what it has begun to make on a full disk.
  if (code === 78) t.same(beside(), before, 'no log is left beside the file')
  t.ok(seconds < SOON, `refused after ${seconds.toFixed(1)} s`)
}

const cases: Case[] = [
  {
    what: 'a file of zero length',
    spoil: (path) => truncateSync(path, 0),
    says: /is empty \(0 bytes\): its content was lost\. Restore a backup, or remove the file to begin with an empty database\.$/
  },
  { what: 'a text file', spoil: (path) => writeFileSync(path, 'Dear diary,\n'.repeat(1_000)), says: restore },
  { what: 'a short text file', spoil: (path) => writeFileSync(path, 'hello\n'), says: restore },
  { what: 'a damaged header', spoil: (path) => overwrite(path, 0, 100), says: restore },
  { what: 'a damaged first page', spoil: (path) => overwrite(path, 100, 4096), says: restore },
  { what: 'damaged pages', spoil: (path) => overwrite(path, 4096 * 3, healthy.length - 4096), says: restore },
  {
    what: 'a damaged last page',
    spoil: (path) => overwrite(path, healthy.length - 4096, healthy.length),
    says: restore
  },
  { what: 'a file cut off between pages', spoil: (path) => truncateSync(path, 4096 * 4), says: restore },
  { what: 'a file cut off within a page', spoil: (path) => truncateSync(path, 4096 * 5 + 1_000), says: restore },
  {
    what: 'a folder',
    spoil: () => {},
    at: (path) => join(path, '..'),
    says: /is not a file\. Correct DATABASE_URL\.$/
  },
  {
    what: 'a pipe',
    spoil: (path) => execFileSync('mkfifo', [`${path}.pipe`]),
    at: (path) => `${path}.pipe`,
    says: /is not a file\. Correct DATABASE_URL\.$/
  },
  {
    what: 'a path in a folder that does not exist',
    spoil: () => {},
    at: (path) => join(path, '../missing/new.db'),
    names: (path) => join(path, '../missing'),
    says: /^petstore: The folder .* of the database does not exist\. Create it, or correct DATABASE_URL\.$/
  },
  { what: 'a path below a file', spoil: () => {}, at: (path) => join(path, 'petstore.db'), says: /cannot be opened/ },
  {
    what: 'a link that leads nowhere',
    spoil: (path) => execFileSync('ln', ['-s', 'nowhere', `${path}.link`]),
    at: (path) => `${path}.link`,
    says: /cannot be opened|does not exist/
  },
  {
    what: 'the database of another program',
    spoil: (path) => alter(path, 'PRAGMA application_id = 252006673'),
    says: /belongs to another program\. Correct DATABASE_URL\.$/
  },
  {
    what: 'the database of a program that marks none',
    spoil: (path) => alter(path, 'PRAGMA application_id = 0'),
    says: /belongs to another program\. Correct DATABASE_URL\.$/
  },
  {
    what: 'a newer schema',
    spoil: (path) => alter(path, 'PRAGMA user_version = 999'),
    says: /has the schema version 999; this program knows up to \d+\. Start the newer program that wrote it, or restore a backup of before the upgrade\.$/
  },
  {
    what: 'a version below 0',
    spoil: (path) => alter(path, 'PRAGMA user_version = -3'),
    says: schema(-3, 'the first is 0')
  },
  {
    what: 'version 0 over tables of its own',
    spoil: (path) => alter(path, 'PRAGMA user_version = 0'),
    says: schema(0, 'the index \\w+ of a later version is there')
  },
  {
    what: 'an older version than its tables have',
    spoil: (path) => alter(path, 'PRAGMA user_version = 4'),
    says: schema(4, 'the index previous_secrets_by_key_id of a later version is there')
  },
  {
    what: 'an older version without one of its indexes',
    spoil: (path) =>
      alter(path, 'PRAGMA user_version = 1; DROP TABLE orders; DROP INDEX pets_by_status; DROP TABLE api_keys'),
    says: schema(1, 'the index pets_by_status is missing')
  },
  {
    what: 'the newest version without one of its tables',
    spoil: (path) => alter(path, 'DROP TABLE usage'),
    says: schema(MIGRATIONS.length, 'the column key_id of usage is missing')
  },
  {
    what: 'the newest version without one of its columns',
    spoil: (path) => alter(path, 'ALTER TABLE api_keys DROP COLUMN scopes'),
    says: schema(MIGRATIONS.length, 'the column scopes of api_keys is missing')
  }
]

for (const { what, spoil, at = (path: string) => path, names = at, says, code = 78 } of cases) {
  t.test(`${what} is refused at start with a sentence and exit code ${code}, and not changed`, async (t) => {
    const good = join(t.testdir({ 'petstore.db': healthy }), 'petstore.db')
    spoil(good)
    const before = readFileSync(good)
    await refuses(t, { path: at(good), names: names(good), says, code })
    t.ok(readFileSync(good).equals(before), 'the bytes are the same')
  })
}

t.test('the subcommands refuse what the server refuses', async (t) => {
  const path = join(t.testdir({ 'petstore.db': healthy.subarray(0, 4096 * 4) }), 'petstore.db')
  for (const args of [['keys', 'create'], ['keys', 'list'], ['keys', 'revoke', 'key_1'], ['seed']]) {
    await refuses(t, { path, says: restore, args })
  }
  t.ok(readFileSync(path).equals(healthy.subarray(0, 4096 * 4)))
})

t.test('a file locked by another program is refused with exit code 75, and not changed', async (t) => {
  const path = join(t.testdir({ 'petstore.db': healthy }), 'petstore.db')
  const other = new DatabaseSync(path)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  await refuses(t, { path, says: /is locked by another program\. Stop that program, then start again\.$/, code: 75 })
  other.exec('ROLLBACK')
  other.close()
  t.ok(readFileSync(path).equals(healthy))
})

t.test('what an ordinary user may not write is refused', async (t) => {
  const wanted: [what: string, modes: { folder: number; file: number }, fresh?: boolean][] = [
    ['a read-only file', { folder: 0o777, file: 0o444 }],
    ['an unreadable file', { folder: 0o777, file: 0o000 }],
    ['a file in a read-only folder', { folder: 0o555, file: 0o666 }],
    ['a new file in a read-only folder', { folder: 0o555, file: 0o666 }, true],
    ['a file in a closed folder', { folder: 0o000, file: 0o666 }]
  ]
  for (const [what, modes, fresh] of wanted) {
    await t.test(what, async (t) => {
      const folder = t.testdir({ 'petstore.db': healthy })
      const path = join(folder, 'petstore.db')
      chmodSync(path, modes.file)
      chmodSync(folder, modes.folder)
      try {
        await refuses(t, { path: fresh ? join(folder, 'new.db') : path, says: permissions, as: ordinaryUser })
      } finally {
        chmodSync(folder, 0o755)
        chmodSync(path, 0o644)
      }
      t.ok(readFileSync(path).equals(healthy))
      t.equal(existsSync(join(folder, 'new.db')), false)
    })
  }
})

t.test('a disk without space for a new database is refused, and no part of a file stays', async (t) => {
  const folder = smallDisk(t, 4096)
  if (!folder) return
  writeFileSync(join(folder, 'ballast'), 'x')
  await refuses(t, {
    path: join(folder, 'petstore.db'),
    says: /is on a full disk\. Make room, then start again\.$/,
    code: 75
  })
  t.equal(existsSync(join(folder, 'petstore.db')), false)
})

t.test('a whole database on a full disk is refused as one that is full, and not changed', async (t) => {
  for (const room of [0, 24 * 1024]) {
    const folder = smallDisk(t, 2 ** 20)
    if (!folder) return
    const path = join(folder, 'petstore.db')
    writeFileSync(path, healthy)
    t.throws(() => writeFileSync(join(folder, 'ballast'), Buffer.alloc(2 ** 21)), { code: 'ENOSPC' })
    truncateSync(join(folder, 'ballast'), statSync(join(folder, 'ballast')).size - room)
    for (const args of [['serve'], ['keys', 'list']]) {
      await refuses(t, { path, says: /is on a full disk\. Make room, then start again\.$/, code: 75, args })
    }
    t.ok(readFileSync(path).equals(healthy))
  }
})
