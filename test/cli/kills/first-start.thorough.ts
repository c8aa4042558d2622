import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { MAIN, nodeCommand, runProgram, startProgram } from '../../../scripts/cluster/program.js'

const KILLS = 6

t.test(`a first start that is killed at any time (${KILLS} kills) leaves no database, or one that starts`, async (t) => {
  const folder = t.testdir()
  const began = performance.now()
  await (await startProgram(t, { DATABASE_URL: `sqlite:${join(folder, 'warm-up.db')}` })).stop()
  const longest = performance.now() - began
  let created = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const path = join(folder, `${kill}.db`)
    const environment = { DATABASE_URL: `sqlite:${path}`, LOG_LEVEL: 'silent', PORT: '0' }
    const [command, args] = nodeCommand([MAIN, 'serve'])
    const first = spawn(command, args, { env: { ...process.env, ...environment }, stdio: 'ignore' })
    const exited = once(first, 'exit')
    await sleep(longest * (0.3 + 0.7 * (kill / KILLS)))
    first.kill('SIGKILL')
    await exited
    if (existsSync(path)) created++
    // The first to open it is a command or a server.
    if (kill % 2) t.equal((await runProgram(['keys', 'list'], environment)).code, existsSync(path) ? 0 : 78)
    const server = await startProgram(t, environment)
    t.equal((await fetch(`${server.root}/readyz`)).status, 200)
    await server.stop()
  }
  t.comment(`${created} of ${KILLS} had created the database`)
})
