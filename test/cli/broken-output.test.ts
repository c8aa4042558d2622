import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MAIN, runProgram } from '../../scripts/cluster/program.js'
import { emptyDatabase } from './in-process.js'

/** Runs a line of the shell in which `$petstore` is the program, and gives its exit code and what it said on stderr. */
function shell (line: string, environment: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const env = { ...process.env, ...environment, petstore: `${process.execPath} ${MAIN}` }
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], { env, timeout: 60_000 }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr })
    )
  })
}

t.test('a reader that has gone is no failure', async (t) => {
  const database = emptyDatabase(t)
  for (const words of ['--help', 'keys list', 'keys create']) {
    t.same(await shell(`$petstore ${words} | true; exit \${PIPESTATUS[0]}`, database), { code: 0, stderr: '' }, words)
  }
})

t.test('what was asked for and could not be written is a failure, told in a sentence', { skip: !existsSync('/dev/full') }, async (t) => {
  const database = emptyDatabase(t)
  const { code, stderr } = await shell('$petstore keys create > /dev/full', database)
  t.equal(code, 1)
  t.match(stderr, /^petstore: the output could not be written: ENOSPC[^\n]*\n$/)
})

t.test('a server goes on when nobody reads what it says at its start', async (t) => {
  const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}`, PORT: '0' }
  const line = '$petstore serve > $log 2> >(true) & sleep 3; kill -0 $! && kill $! && wait $!'
  const { code } = await shell(line, { ...database, log: join(t.testdir(), 'log') })
  t.equal(code, 0, 'it was there, and stopped as asked')
})

t.test('a database whose name begins with file: is the file of that name', async (t) => {
  const cwd = t.testdir()
  const { code } = await runProgram(['seed'], { DATABASE_URL: 'sqlite:file:a.db' }, { cwd })
  t.equal(code, 0)
  t.same(readdirSync(cwd).filter((name) => !/-(wal|shm)$/.test(name)), ['file:a.db'])
})
