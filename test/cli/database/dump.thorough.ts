import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ask } from '../../../scripts/cluster/postgres.js'
import { runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { programAt } from '../../../scripts/cluster/server.js'
import { emptyPostgres, missingScaled, sharedRedis } from '../../support/databases.js'
import { sectionOf, textOf } from '../../support/documents.js'
import { leaveOut } from '../../support/leave-out.js'

const missing = missingScaled ?? (programAt('pg_dump') ? undefined : 'pg_dump is not installed')

t.test('a restored dump has the records, and no command waits for the servers that ran during the dump', async (t) => {
  if (missing) return leaveOut(t, missing)
  const environment = { DATABASE_URL: await emptyPostgres(), REDIS_URL: await sharedRedis(), LOG_LEVEL: 'warn' }
  const cwd = t.testdir()
  const sh = (command: string) =>
    promisify(execFile)('sh', ['-c', command], { cwd, env: { ...process.env, ...environment } })
  const documented = sectionOf(textOf('docs/operating.md'), 'Backup').matchAll(/`(pg_[^`]+)`/g)
  const [dump, restore] = [...documented].map(([, command]) => command!)
  const serve = () => startProgram(t, environment)
  const list = async () => await runProgram(['keys', 'list'], environment)

  const servers = [await serve(), await serve()]
  t.match(await runProgram(['keys', 'create', '--name', 'Shop'], environment), { code: 0 })
  await sh(dump!)
  for (const { stop } of servers) t.equal(await stop(), 0)

  for (const where of ['in place', 'in a new database']) {
    if (where === 'in a new database') environment.DATABASE_URL = await emptyPostgres()
    await sh(restore!)
    t.match(await list(), { code: 0, stdout: /Shop/, stderr: /^$/ }, where)
    t.same(await ask(environment.DATABASE_URL, 'SELECT server FROM counting_servers'), [])
    const server = await serve()
    t.match(await list(), { code: 0, stderr: /^$/ }, 'a server that runs is asked')
    await server.stop('SIGKILL')
    t.match(await list(), { code: 0, stderr: /^A server did not answer/ }, 'one that was killed is reported')
  }
})
