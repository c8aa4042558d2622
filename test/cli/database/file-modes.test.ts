import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'

/** The permissions of every file in a folder, in octal. */
const modesIn = (folder: string) => {
  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8)
  return Object.fromEntries(readdirSync(folder).sort().map((name) => [name, modeOf(name)]))
}

/** Runs work with a umask, which the programs that it starts inherit. */
async function withMask<Result> (mask: number, work: () => Promise<Result>): Promise<Result> {
  const before = process.umask(mask)
  try {
    return await work()
  } finally {
    process.umask(before)
  }
}

function settings (t: Test) {
  const folder = t.testdir()
  return { folder, path: join(folder, 'petstore.db'), environment: { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` } }
}

const PRIVATE = { 'petstore.db': '600', 'petstore.db-shm': '600', 'petstore.db-wal': '600', 'petstore.db.lock': '600' }

t.test('only their owner reads the files of a new database and its backups, whatever the umask', async (t) => {
  const { folder, path, environment } = settings(t)
  const run = (args: string[], file = path) => withMask(0, () => runProgram(args, { DATABASE_URL: `sqlite:${file}` }))
  const server = await withMask(0, () => startProgram(t, environment))
  t.same(modesIn(folder), PRIVATE)
  const backup = join(folder, 'backup.db')
  // However many may read the database.
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
  await run(['backup', backup])
  t.equal(modesIn(folder)['backup.db'], '600')
  await server.stop()
  await run(['restore', backup])
  t.match(modesIn(folder), { 'petstore.db': '600', 'backup.db': '600' }, 'in place of one that others may read')
  chmodSync(backup, 0o644)
  await run(['restore', backup], `${path}.restored`)
  await run(['seed'], `${path}.seeded`)
  t.match(modesIn(folder), { 'petstore.db.restored': '600', 'petstore.db.seeded': '600' }, 'where there was none')
})

t.test('a database that its operator lets others read keeps its permissions, and gives them to its logs', async (t) => {
  const { folder, path, environment } = settings(t)
  await runProgram(['seed'], environment)
  chmodSync(path, 0o640)
  await withMask(0o077, () => startProgram(t, environment))
  t.match(modesIn(folder), { 'petstore.db': '640', 'petstore.db-wal': '640', 'petstore.db-shm': '640' })
})
