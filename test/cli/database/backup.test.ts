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
  t.match(refused, { code: 1, stdout: '', stderr: /^petstore: The file .*backup\.db exists already\. Choose another name, or add --force\.\n$/ })
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
  for (const [args, code, stderr] of [
    [[join(folder, 'x.db'), '--keep', '2'], 2, /^petstore: --keep needs a folder that exists, and .*x\.db is none/],
    [[`${join(folder, 'missing')}/`], 78, /^petstore: There is no folder '.*missing\/'/],
    [[`${join(backups, 'petstore-old.db')}/`], 78, /^petstore: There is no folder '.*petstore-old\.db\/'/],
    [[''], 78, /^petstore: There is no folder ''\. Choose another\.\n$/]
  ] as const) {
    t.match(await runInProcess(['backup', ...args], environment), { code, stdout: '', stderr })
  }
  for (const count of ['0', '-1', 'x']) {
    t.match(await runInProcess(['backup', backups, `--keep=${count}`], environment), { code: 2 })
  }
})

t.test('backup --keep counts regular files that are dated by the past, and never removes anything else', async (t) => {
  const { folder, environment } = await seeded(t)
  const backups = join(folder, 'backups')
  const real = Array.from({ length: 4 }, (_, index) => `petstore-2026-01-0${index + 1}T00-00-00.000Z.db`)
  const odd = [
    'petstore-2099-01-01T00-00-00.000Z.db',
    'petstore-2026-02-30T00-00-00.000Z.db',
    'petstore-2026-13-01T25-61-61.999Z.db',
    'petstore-2026-01-01T00-00-00.000Z.db.new'
  ]
  mkdirSync(join(backups, 'petstore-2026-03-01T00-00-00.000Z.db'), { recursive: true })
  mkdirSync(join(backups, 'petstore-2025-01-01T00-00-00.000Z.db'))
  for (const name of [...real, ...odd]) writeFileSync(join(backups, name), '')
  symlinkSync(join(backups, real[0]!), join(backups, 'petstore-2025-02-01T00-00-00.000Z.db'))
  const before = readdirSync(backups)
  const { code, stdout } = await runProgram(['backup', backups, '--keep', '3', '--json'], environment)
  t.equal(code, 0)
  const { file, removed } = JSON.parse(stdout) as { file: string; removed: string[] }
  t.same(removed, real.slice(0, 2))
  const wanted = [...before.filter((name) => !removed.includes(name)), basename(file)]
  t.same(readdirSync(backups).sort(), wanted.sort())
  const again = await runProgram(['backup', backups, '--keep', '1'], environment)
  t.match(again.stdout, /\nRemoved 3 older backups\.\n$/)
})

t.test('backup --keep with a clock that was set back removes nothing', async (t) => {
  const { folder, environment } = await seeded(t)
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const later = ['petstore-2098-01-01T00-00-00.000Z.db', 'petstore-2099-01-01T00-00-00.000Z.db']
  for (const name of later) writeFileSync(join(backups, name), '')
  const { stdout } = await runProgram(['backup', backups, '--keep', '1', '--json'], environment)
  t.match(JSON.parse(stdout), { removed: [] })
  t.equal(readdirSync(backups).length, 3)
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
    [[join(folder, 'text', 'b.db')], environment, 78, /The backup .*b\.db cannot be written \(ENOTDIR\)/],
    [['x'.repeat(300)], environment, 78, /The backup x+ cannot be written \(ENAMETOOLONG\)/],
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
