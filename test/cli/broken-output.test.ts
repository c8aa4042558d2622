import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { MAIN, runProgram } from '../../scripts/cluster/program.js'
import { seeded } from './database/seeded.js'
import { runInProcess } from './in-process.js'

/** Runs a line of the shell in which `$petstore` is the program, and gives its exit code and what it said on stderr. */
function shell (line: string, environment: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const env = { ...process.env, ...environment, petstore: `${process.execPath} ${MAIN}` }
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], { env, timeout: 60_000 }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr })
    )
  })
}

const noFullDisk = { skip: !existsSync('/dev/full') }

t.test('a reader that has gone is no failure', async (t) => {
  const { environment: database } = await seeded(t, 1)
  for (const words of ['--help', 'keys list']) {
    t.same(await shell(`$petstore ${words} | true; exit \${PIPESTATUS[0]}`, database), { code: 0, stderr: '' }, words)
  }
})

t.test('output that cannot be written is a failure, told in a sentence', noFullDisk, async (t) => {
  const { environment: database } = await seeded(t, 1)
  for (const words of ['keys --help', 'keys list --json']) {
    const { code, stderr } = await shell(`$petstore ${words} > /dev/full`, database)
    t.equal(code, 1, words)
    t.match(stderr, /^petstore: the output could not be written: ENOSPC[^\n]*\n$/, words)
  }
})

t.test('a secret that cannot be written is not stored: no key is made, and a rotated key stays as it was', noFullDisk, async (t) => {
  const { environment: database } = await seeded(t, 1)
  const keys = async (...args: string[]) =>
    JSON.parse((await runInProcess(['keys', ...args, '--json'], database)).stdout) as Record<string, any>
  const { id } = await keys('create')
  await keys('rotate', id)
  const before = [await keys('list'), await keys('history', id)]
  for (const [redirection, code] of [
    ['> /dev/full', 'ENOSPC'],
    ['| true; exit $PIPESTATUS', 'EPIPE'],
    ['> /dev/null', 'it goes to /dev/null'],
    ['>&-', 'it goes to /dev/null']
  ] as const) {
    for (const words of ['create --json', `rotate ${id} --overlap 0s --end-overlaps`]) {
      const ended = await shell(`$petstore keys ${words} ${redirection}`, database)
      t.equal(ended.code, 1, `keys ${words} ${redirection}`)
      t.ok(ended.stderr.includes(`petstore: The secret could not be written (${code}). Nothing was changed.\n`))
    }
  }
  t.same([await keys('list'), await keys('history', id)], before)
})

t.test('the key of a first start is revoked when it cannot be shown', noFullDisk, async (t) => {
  for (const redirection of ['> /dev/full', '> >(true)']) {
    const folder = t.testdir()
    const database = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` }
    const log = join(folder, 'log')
    const line = `$petstore serve > $log 2${redirection} & until grep -q keyId $log; do sleep 0.1; done; kill $! && wait $!`
    t.equal((await shell(line, { ...database, PORT: '0', log })).code, 0, 'it went on, and stopped as asked')
    const { keys } = JSON.parse((await runInProcess(['keys', 'list', '--json'], database)).stdout)
    t.match(keys, [{ name: 'development', valid: false, revoked: /Z$/ }], redirection)
    t.match(readFileSync(log, 'utf8'), `"keyId":"${keys[0].id}"`)
  }
})

t.test('a secret that was written but not stored is said to be void', async (t) => {
  const { path, environment: database } = await seeded(t, 1)
  const other = new DatabaseSync(path)
  other.exec("CREATE TRIGGER full BEFORE INSERT ON api_keys BEGIN SELECT RAISE(ABORT, 'no room'); END")
  other.close()
  const { code, stdout, stderr } = await runInProcess(['keys', 'create'], database)
  t.equal(code, 1)
  t.match(stdout, /pet_live_/)
  t.match(stderr, /^The secret above was not stored\. Do not use it\.\n[^]*no room/)
})

t.test('a server goes on when nobody reads what it says at its start', async (t) => {
  const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}`, PORT: '0' }
  const line = '$petstore serve > $log 2> >(true) & until grep -q listening $log; do sleep 0.1; done; kill $! && wait $!'
  const { code } = await shell(line, { ...database, log: join(t.testdir(), 'log') })
  t.equal(code, 0, 'it was there, and stopped as asked')
})

t.test('a database whose name begins with file: is the file of that name', async (t) => {
  const cwd = t.testdir()
  const { code } = await runProgram(['seed'], { DATABASE_URL: 'sqlite:file:a.db' }, { cwd })
  t.equal(code, 0)
  t.same(readdirSync(cwd).filter((name) => !/-(wal|shm)$/.test(name)), ['file:a.db'])
})
