import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { runInProcess } from '../in-process.js'
import { petsIn, seeded } from './seeded.js'

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

t.test('what root restores belongs to the owner of the database before, or else of its folder', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const file = join(folder, 'backup.db')
  await runProgram(['backup', file], environment)
  const owner = process.getuid?.() === 0 ? 12_345 : statSync(path).uid
  chownSync(path, owner, statSync(path).gid)
  await runProgram(['restore', file], environment)
  t.equal(statSync(path).uid, owner)
  rmSync(path)
  chownSync(folder, owner, statSync(folder).gid)
  await runProgram(['restore', file], environment)
  t.equal(statSync(path).uid, owner)
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
  writeFileSync(join(folder, 'torn'), bytes)
  const torn = new DatabaseSync(join(folder, 'torn'))
  torn.exec('DROP TABLE orders')
  torn.close()
  const newer = new DatabaseSync(join(folder, 'newer'))
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  const foreign = new DatabaseSync(join(folder, 'foreign'))
  foreign.exec('CREATE TABLE a (b)')
  foreign.close()
  const wanted: [name: string, says: RegExp][] = [
    ['none', /There is no backup at .*none/],
    ['text', /^petstore: Nothing was restored\. The backup .*text is damaged or is not a database\. Choose another file\.\n$/],
    ['empty', /Nothing was restored\. The backup .*empty is empty \(0 bytes\): its content was lost\. Choose another file\.\n$/],
    ['cut', /Nothing was restored\. The backup .*cut is damaged/],
    ['torn', /Nothing was restored\. The backup .*torn is damaged: [^.]*\. Choose another file\.\n$/],
    ['newer', /Nothing was restored\. The backup .*newer has the schema version 999/],
    ['foreign', /Nothing was restored\. The backup .*foreign belongs to another program\. Choose another file\.\n$/],
    ['.', /Nothing was restored\. The backup .* is not a file\. Choose another file\.\n$/],
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
