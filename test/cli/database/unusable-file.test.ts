import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { runProgram, type Ended } from '../../../scripts/cluster/program.js'
import { backUp } from '../../../src/storage/database/sqlite/backup.js'
import { restore } from '../../../src/storage/database/sqlite/restore.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { runInProcess } from '../in-process.js'
import { petsIn, seeded } from './seeded.js'

/** The commands that create no database, but for backup. */
const COMMANDS = [
  ...['list', 'create', 'create --json', 'show key_1', 'usage key_1', 'history key_1', 'rename key_1 a', 'revoke key_1', 'rotate key_1']
    .map((words) => `keys ${words}`),
  ...['list', 'complete 1'].map((words) => `orders ${words}`)
]

function refuses (t: Test, { code, stdout, stderr }: Ended, says: RegExp, what: string): void {
  t.same({ code, stdout }, { code: 78, stdout: '' }, what)
  t.match(stderr, says, what)
  t.equal(stderr.trimEnd().split('\n').length, 1)
}

t.test('commands that need a database say that there is none at a path, and create none', async (t) => {
  const folder = t.testdir({ link: t.fixture('symlink', 'nowhere') })
  for (const name of ['petstore.db', 'missing/petstore.db', 'link']) {
    const environment = { DATABASE_URL: `sqlite:${join(folder, name)}`, DATABASE_ANEW: 'on' }
    const says = new RegExp(`There is no database at ${join(folder, name)}\\. Correct DATABASE_URL\\.`)
    for (const words of COMMANDS) refuses(t, await runInProcess(words.split(' '), environment), says, words)
    await t.rejects(backUp(join(folder, name), join(folder, 'b.db'), { replace: false }), { message: says }, 'backup')
  }
  t.same(readdirSync(folder), ['link'])
})

t.test('commands say what is wrong with a file that is no database of the service', async (t) => {
  const folder = t.testdir({ empty: '', text: 'Dear diary,\n'.repeat(1_000) })
  mkdirSync(join(folder, 'folder'))
  const withoutTables = new DatabaseSync(join(folder, 'without-tables'))
  withoutTables.exec(`PRAGMA application_id = ${0x50657473}; CREATE TABLE owner (pid, process, file, probe)`)
  withoutTables.close()
  const foreign = new DatabaseSync(join(folder, 'foreign'))
  foreign.exec('CREATE TABLE notes (text)')
  foreign.close()
  const wanted: [name: string, says: RegExp][] = [
    ['folder', /folder is not a file\. Correct DATABASE_URL\./],
    ['empty', /empty is empty \(0 bytes\): its content was lost\./],
    ['text', /text is damaged or is not a database\./],
    ['foreign', /foreign belongs to another program\./],
    ['without-tables', /without-tables has no tables \(schema version 0\)\. Restore a backup, or start the server on it\./]
  ]
  for (const [name, says] of wanted) {
    const path = join(folder, name)
    const environment = { DATABASE_URL: `sqlite:${path}` }
    for (const words of ['keys list', 'orders list']) refuses(t, await runInProcess(words.split(' '), environment), says, words)
    await t.rejects(backUp(path, join(folder, 'b.db'), { replace: false }), { exitCode: 78, message: says }, 'backup')
    const migration = await runInProcess(['migrate-data', '--from', `sqlite:${path}`, '--to', 'postgres://u:p@127.0.0.1:1/d'])
    refuses(t, migration, says, 'migrate-data')
    if (name === 'folder') continue
    const message = new RegExp(`^Nothing was restored\\. The backup .*${name} `)
    await t.rejects(restore(path, join(folder, 'restored.db'), new Date()), { exitCode: 78, message }, 'restore')
  }
  t.same(readdirSync(folder).sort(), wanted.map(([name]) => name).sort(), 'nothing else is left')
  const database = openSqlite(join(folder, 'without-tables'), { owner: true })
  t.same(await database.read('SELECT * FROM pets'), [], 'a server creates the tables')
  await database.close()
})

t.test('a database without its log is no source of any command and is not served, and with it is restored', async (t) => {
  const { folder, path, environment } = await seeded(t)
  const database = openSqlite(path, { owner: true })
  await runInProcess(['seed', '--pets', '5'], environment)
  const copy = join(folder, 'copy.db')
  copyFileSync(path, copy)
  copyFileSync(`${path}-wal`, join(folder, 'log'))
  await database.close()
  symlinkSync(copy, join(folder, 'link.db'))
  const lost = { DATABASE_URL: `sqlite:${copy}`, PORT: '0' }
  const says = /^petstore: The database .*copy\.db lacks its write-ahead log .*copy\.db-wal, which holds its newest records/
  for (const words of ['seed', 'keys list', 'orders list']) refuses(t, await runInProcess(words.split(' '), lost), says, words)
  refuses(t, await runProgram(['serve'], lost), says, 'serve')
  await t.rejects(backUp(copy, join(folder, 'b.db'), { replace: false }), { message: /copy\.db lacks its write-ahead log/ })
  const migration = await runInProcess(['migrate-data', '--from', `sqlite:${copy}`, '--to', 'postgres://u:p@127.0.0.1:1/d'])
  refuses(t, migration, says, 'migrate-data')
  await t.rejects(restore(copy, path, new Date()), {
    message: `Nothing was restored. The backup ${copy} lacks its write-ahead log ${copy}-wal, which holds its newest records: the log was deleted, or the file was copied or moved without it. Put the log back beside it, or choose another file. To go on without those records, run: sqlite3 FILE "DELETE FROM owner"`
  })
  const link = join(folder, 'link.db')
  await t.rejects(restore(link, path, new Date()), { message: /lacks its write-ahead log/ }, 'by a symbolic link')
  t.equal(petsIn(path), 35, 'the good database stays')

  copyFileSync(join(folder, 'log'), `${copy}-wal`)
  await restore(link, join(folder, 'restored.db'), new Date())
  t.equal(petsIn(join(folder, 'restored.db')), 35)
})
