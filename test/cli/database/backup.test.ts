import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { runInProcess } from '../in-process.js'

/** A folder with a database that has sample records, and its settings. */
async function seeded (t: Test, pets = 30) {
  const folder = t.testdir()
  const path = join(folder, 'petstore.db')
  const environment = { DATABASE_URL: `sqlite:${path}` }
  await runInProcess(['seed', '--pets', String(pets)], environment)
  await runInProcess(['keys', 'create'], environment)
  return { folder, path, environment }
}

const petsIn = (path: string): unknown => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('SELECT count(*) AS pets FROM pets').get().pets
  } finally {
    database.close()
  }
}

t.test('backup writes one whole file while the server runs, and says what is in it', async (t) => {
  const { folder, path, environment } = await seeded(t)
  await startProgram(t, { ...environment, LOG_LEVEL: 'silent' })
  const file = join(folder, 'backup.db')
  const { code, stdout, stderr } = await runProgram(['backup', file], environment)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^Wrote .*backup\.db \(\d+ kB\): 30 pets, 1 api keys, 7 categories, 1 key changes\. Every page and every count was verified\.\n$/)
  t.same(readdirSync(folder).filter((name) => name.startsWith('backup')), ['backup.db'], 'nothing beside it')
  t.equal(petsIn(file), 30)
  const copy = new DatabaseSync(file)
  t.equal(copy.prepare('SELECT count(*) AS owners FROM owner').get().owners, 0, 'a copy has no owner')
  t.equal(copy.prepare('PRAGMA journal_mode').get().journal_mode, 'delete', 'it needs no log beside it')
  copy.close()
  t.equal(petsIn(path), 30)
})

t.test('backup never writes over a file, unless told so', async (t) => {
  const { folder, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  writeFileSync(file, 'mine')
  const refused = await runProgram(['backup', file], environment)
  t.match(refused, { code: 2, stdout: '', stderr: /backup\.db is there already\. Choose another name, or add --force\./ })
  t.equal(readFileSync(file, 'utf8'), 'mine')
  t.match(await runProgram(['backup', file, '--force', '--json'], environment), { code: 0, stderr: '' })
  t.equal(petsIn(file), 30)
})

t.test('backup --json tells the file, its size and the rows of every table', async (t) => {
  const { folder, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  const { stdout } = await runProgram(['backup', file, '--json'], environment)
  t.match(JSON.parse(stdout), {
    file,
    bytes: statSync(file).size,
    tables: { pets: 30, api_keys: 1, categories: 7, orders: 0 },
    removed: []
  })
})

t.test('backup --keep writes dated files into a folder and removes the oldest of them alone', async (t) => {
  const { folder, environment } = await seeded(t)
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  for (const name of ['petstore-2026-01-01T00-00-00.000Z.db', 'petstore-2026-01-02T00-00-00.000Z.db', 'petstore-old.db']) {
    writeFileSync(join(backups, name), '')
  }
  const { code, stdout } = await runProgram(['backup', backups, '--keep', '2'], environment)
  t.equal(code, 0)
  t.match(stdout, /Removed 1 older backup\.\n$/)
  t.match(readdirSync(backups).sort(), [
    'petstore-2026-01-02T00-00-00.000Z.db',
    /^petstore-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/,
    'petstore-old.db'
  ])
  writeFileSync(join(backups, 'petstore-2999-01-01T00-00-00.000Z.db'), '')
  const { stdout: json } = await runProgram(['backup', backups, '--keep', '1', '--json'], environment)
  const { file } = JSON.parse(json) as { file: string }
  t.ok(readdirSync(backups).includes(basename(file)), 'the new one stays, whatever the clock of others said')
  t.match(await runInProcess(['backup', join(folder, 'x.db'), '--keep', '2'], environment), {
    code: 2,
    stderr: /--keep needs a folder, and .*x\.db is none/
  })
  for (const count of ['0', '-1', 'x']) {
    t.match(await runInProcess(['backup', backups, `--keep=${count}`], environment), { code: 2 })
  }
})

t.test('backup tells in a sentence what cannot be backed up, or not there, and leaves nothing', async (t) => {
  const { folder, path, environment } = await seeded(t)
  writeFileSync(join(folder, 'text'), 'no database, but long enough for one '.repeat(100))
  symlinkSync(path, join(folder, 'link'))
  const wanted: [args: string[], environment: Record<string, string>, code: number, says: RegExp][] = [
    [[], environment, 2, /missing required argument 'file'/],
    [['b.db'], { DATABASE_URL: `sqlite:${folder}/none.db` }, 78, /There is no database at .*none\.db\. Correct DATABASE_URL\./],
    [['b.db'], { DATABASE_URL: `sqlite:${folder}/text` }, 78, /text is damaged or is not a database/],
    [[join(folder, 'no', 'b.db')], environment, 78, /The folder .*no of the backup does not exist/],
    [['--force', path], environment, 78, /is the database itself/],
    [['--force', join(folder, 'link')], environment, 78, /is the database itself/],
    [['--force', `${path}-wal`], environment, 78, /belongs to the database itself/],
    [['b.db'], { DATABASE_URL: 'postgres://u:p@h/d' }, 78, /Back it up with pg_dump.*pg_dump --format=custom --file=FILE/]
  ]
  for (const [args, env, code, says] of wanted) {
    const ended = await runProgram(['backup', ...args], { ...env }, { cwd: folder })
    t.match(ended, { code, stdout: '', stderr: says }, args.join(' '))
  }
  t.same(readdirSync(folder).filter((name) => /^b\.db|\.new/.test(name)), [])
  t.equal(petsIn(path), 30)
})

t.test('a database that is damaged inside gives no backup, and the one of before stays', async (t) => {
  const { folder, path, environment } = await seeded(t, 2_000)
  const file = join(folder, 'backup.db')
  t.equal((await runProgram(['backup', file], environment)).code, 0)
  const bytes = readFileSync(path)
  bytes.fill(0xff, bytes.length - 3 * 4096, bytes.length - 4096)
  writeFileSync(path, bytes)
  const { code, stdout, stderr } = await runProgram(['backup', file, '--force'], environment)
  t.same({ code, stdout }, { code: 78, stdout: '' })
  t.match(stderr, /The database .*petstore\.db is damaged/)
  t.equal(petsIn(file), 2_000)
})

t.test('restore puts a backup in the place of the database, and keeps the one of before beside it', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file], environment)
  await runInProcess(['seed', '--pets', '5'], environment)
  const { code, stdout, stderr } = await runProgram(['restore', file], environment)
  t.same({ code, stderr }, { code: 0, stderr: '' })
  const [, before] =
    /^Restored .*petstore\.db from .*backup\.db: 30 pets, 1 api keys, 7 categories, 1 key changes\. Every page and every count was verified\.\nThe database of before is kept as (.*)\.\n/.exec(
      stdout
    )!
  t.match(stdout, /Keys are as they were then: revoke again those that were revoked since\.\n$/)
  t.equal(petsIn(path), 30)
  t.equal(petsIn(before!), 35)
  t.equal(petsIn(file), 30, 'the backup stays')
  const { root, stop } = await startProgram(t, { ...environment, LOG_LEVEL: 'silent' })
  t.equal((await fetch(`${root}/readyz`)).status, 200)
  t.equal(await stop(), 0)
})

t.test('what root restores is open to those who could open the database before, or its folder, alone', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file], environment)
  const owner = process.getuid?.() === 0 ? 12_345 : statSync(path).uid
  const permissions = (): object => {
    const { uid, mode } = statSync(path)
    return { uid, mode: mode & 0o777 }
  }
  chownSync(path, owner, statSync(path).gid)
  chmodSync(path, 0o640)
  await runProgram(['restore', file], environment)
  t.same(permissions(), { uid: owner, mode: 0o640 })
  rmSync(path)
  chownSync(folder, owner, statSync(folder).gid)
  chmodSync(folder, 0o700)
  await runProgram(['restore', file], environment)
  t.same(permissions(), { uid: owner, mode: 0o600 })
})

t.test('restore is refused while a server runs, and changes nothing', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file], environment)
  const server = await startProgram(t, { ...environment, LOG_LEVEL: 'silent' })
  await runInProcess(['seed', '--pets', '5'], environment)
  const { ino } = statSync(path)
  const refused = await runProgram(['restore', file], environment)
  t.match(refused, { code: 75, stdout: '', stderr: new RegExp(`is in use by another server \\(process ${server.child.pid}\\)`) })
  t.equal(statSync(path).ino, ino)
  t.equal(petsIn(path), 35)
  t.equal((await fetch(`${server.root}/readyz`)).status, 200)
})

t.test('restore takes the place of a database that is damaged or gone, and keeps what is left of it', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file, '--json'], environment)
  writeFileSync(path, 'damaged'.repeat(1_000))
  writeFileSync(`${path}-wal`, 'a log')
  const damaged = await runProgram(['restore', file, '--json'], environment)
  t.equal(damaged.code, 0, damaged.stderr)
  const { before, tables } = JSON.parse(damaged.stdout) as { before: string; tables: Record<string, number> }
  t.equal(tables.pets, 30)
  t.match(readFileSync(before, 'utf8'), /^damaged/)
  t.equal(readFileSync(`${before}-wal`, 'utf8'), 'a log')
  t.equal(petsIn(path), 30)

  const elsewhere = { DATABASE_URL: `sqlite:${join(folder, 'new.db')}` }
  t.match(JSON.parse((await runProgram(['restore', file, '--json'], elsewhere)).stdout), { before: null })
  t.equal(petsIn(join(folder, 'new.db')), 30)
})

t.test('restore takes what is still in the log beside a copied file', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const database = openSqlite(path, { owner: true })
  await database.write("INSERT INTO pets (name, category_id) VALUES ('In the log', 1)")
  const copy = join(folder, 'copy.db')
  for (const ending of ['', '-wal']) writeFileSync(copy + ending, readFileSync(path + ending))
  await database.close()
  t.equal((await runProgram(['restore', copy], environment)).code, 0)
  t.equal(petsIn(path), 31)
})

t.test('restore refuses what is no whole backup of ours in a sentence, and changes nothing', async (t) => {
  const { folder, path, environment } = await seeded(t, 2_000)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file], environment)
  const bytes = readFileSync(file)
  writeFileSync(join(folder, 'text'), 'no database, but long enough for one '.repeat(100))
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(join(folder, 'cut'), bytes.subarray(0, bytes.length / 2))
  writeFileSync(join(folder, 'newer'), bytes)
  const newer = new DatabaseSync(join(folder, 'newer'))
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  const foreign = new DatabaseSync(join(folder, 'foreign'))
  foreign.exec('CREATE TABLE a (b)')
  foreign.close()
  const wanted: [name: string, says: RegExp][] = [
    ['none', /There is no backup at .*none/],
    ['text', /Nothing was restored\. The backup .*text is damaged or is not a database/],
    ['empty', /Nothing was restored\. The backup .*empty is empty \(0 bytes\)/],
    ['cut', /Nothing was restored\. The backup .*cut is damaged/],
    ['newer', /Nothing was restored\. The backup .*newer has the schema version 999/],
    ['foreign', /Nothing was restored\. The backup .*foreign belongs to another program/],
    ['petstore.db', /is the database itself/]
  ]
  const { ino } = statSync(path)
  for (const [name, says] of wanted) {
    const { code, stdout, stderr } = await runProgram(['restore', join(folder, name)], environment)
    t.same({ code, stdout }, { code: 78, stdout: '' }, name)
    t.match(stderr, says)
  }
  t.match(await runProgram(['restore', file], { DATABASE_URL: 'postgres://u:p@h/d' }), {
    code: 78,
    stderr: /Restore it with pg_restore/
  })
  t.equal(statSync(path).ino, ino)
  t.equal(petsIn(path), 2_000)
  t.same(readdirSync(folder).filter((name) => /\.new|before-restore/.test(name)), [])
  t.ok(existsSync(file))
})
