import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { runInProcess } from '../in-process.js'
import { petsIn, seeded } from './seeded.js'

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
  for (const [args, stderr] of [
    [[join(folder, 'x.db'), '--keep', '2'], /error: --keep needs a folder that exists, and .*x\.db is none/],
    [[`${join(folder, 'missing')}/`], /error: there is no folder .*missing\//],
    [[`${file}/`], /error: there is no folder .*\.db\//]
  ] as const) {
    t.match(await runInProcess(['backup', ...args], environment), { code: 2, stdout: '', stderr })
  }
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
