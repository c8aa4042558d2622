import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runProgram, startProgram } from '../../../../scripts/cluster/program.js'
import { ensureFile } from '../../../../src/storage/database/sqlite/file.js'
import { leaveOut } from '../../../support/leave-out.js'

const POSTS = 200

t.test('no 201 leaves the program before the disk has what it answers for, as its system calls show', async (t) => {
  if (!existsSync('/usr/bin/strace')) return leaveOut(t, 'needs strace')
  const folder = t.testdir()
  const database = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` }
  ensureFile(join(folder, 'petstore.db'), { create: true })
  const { key } = JSON.parse((await runProgram(['keys', 'create', '--plan', 'business', '--json'], database)).stdout)
  const server = await startProgram(t, database)
  const trace = join(folder, 'trace')
  const strace = spawn(
    'strace',
    ['-f', '-y', '-e', 'trace=pwrite64,fsync,fdatasync,write,writev', '-o', trace, '-p', String(server.child.pid)],
    { stdio: ['ignore', 'ignore', 'pipe'] }
  )
  t.teardown(() => strace.kill('SIGKILL'))
  const [said] = await once(strace.stderr, 'data')
  if (!/attached/.test(String(said))) return leaveOut(t, `strace may not attach: ${String(said)}`)

  const post = async () =>
    (
      await fetch(`${server.root}/v1/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"name":"Rex","categoryId":7}'
      })
    ).status
  for (let done = 0; done < POSTS; done += 10) {
    t.same(new Set(await Promise.all(Array.from({ length: 10 }, post))), new Set([201]))
  }
  strace.kill('SIGINT')
  await once(strace, 'exit')

  let unsynced = false
  let answers = 0
  let tooEarly = 0
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    if (/pwrite64\(\d+<.*\.db-wal>/.test(line)) unsynced = true
    if (/(fsync|fdatasync)\(\d+<.*\.db-wal>/.test(line)) unsynced = false
    if (!line.includes('HTTP/1.1 201')) continue
    answers++
    if (unsynced) tooEarly++
  }
  t.equal(answers, POSTS)
  t.equal(tooEarly, 0)
})
