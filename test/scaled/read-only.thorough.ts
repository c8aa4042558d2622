import t, { type Test } from 'tap'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { hangUp, send, UNLIMITED } from '../../scripts/cluster/load.js'
import { ask, startPostgres } from '../../scripts/cluster/postgres.js'
import { startProgram } from '../../scripts/cluster/program.js'
import { freePort } from '../../scripts/cluster/server.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'
import { startLine } from '../support/line.js'
import { until } from '../support/until.js'

t.test('a server whose PostgreSQL cannot be written', async (t) => {
  if (missingScaled) return leaveOut(t, missingScaled)
  const { environment, makeKey, postgres } = await startCluster(t, { servers: 0 })
  t.teardown(hangUp)
  const primary = environment.DATABASE_URL!
  const line = await startLine(t, primary)
  const metrics = `http://127.0.0.1:${await freePort()}/metrics`
  const settings = { ...environment, DATABASE_URL: line.url, METRICS_PORT: new URL(metrics).port }
  const { root } = await startProgram(t, settings)
  const { secret: key } = await makeKey(UNLIMITED)
  const body = { name: 'Rex', categoryId: 1 }
  const post = async () => (await send(`${root}/v1/pets`, { method: 'POST', key, body })).status
  const state = async () => ({
    get: (await send(`${root}/v1/pets`, { key })).status,
    ready: JSON.parse((await send(`${root}/readyz`)).text).status,
    write: /petstore_database_available\{access="write"\} (\d)/.exec((await send(metrics)).text)![1]
  })
  const untilIs = async (ready: string) => until(async () => (await state()).ready === ready)
  const isWritable = async (t: Test) => {
    await untilIs('ready')
    t.same([await post(), await state()], [201, { get: 200, ready: 'ready', write: '1' }])
  }
  const isReadOnly = async (t: Test) => {
    await untilIs('read-only')
    t.same([await post(), await state()], [503, { get: 200, ready: 'read-only', write: '0' }])
  }
  await isWritable(t)

  await t.test('is read-only while transactions are', async (t) => {
    await ask(primary, 'ALTER SYSTEM SET default_transaction_read_only = on')
    await ask(primary, 'SELECT pg_reload_conf()')
    await isReadOnly(t)
    await ask(primary, 'ALTER SYSTEM RESET default_transaction_read_only')
    await ask(primary, 'SELECT pg_reload_conf()')
    await isWritable(t)
  })

  await t.test('is read-only while commits wait for a standby that is gone', async (t) => {
    await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = 'gone'")
    await ask(primary, 'SELECT pg_reload_conf()')
    await until(async () => (await post()) === 503)
    await isReadOnly(t)
    await ask(primary, 'ALTER SYSTEM RESET synchronous_standby_names')
    await ask(primary, 'SELECT pg_reload_conf()')
    await isWritable(t)
  })

  await t.test('is read-only on a standby, and leaves it for the primary with all of its connections', async (t) => {
    const { server } = await startPostgres({ primary: postgres })
    t.teardown(() => server.remove())
    const standby = primary.replace(/:\d+\//, `:${server.port}/`)
    line.lead(standby)
    line.hangUp()
    await untilIs('read-only')
    await Promise.all(Array.from({ length: 50 }, () => send(`${root}/v1/pets`, { key })))
    await isReadOnly(t)
    line.lead(primary)
    await isWritable(t)
    await Promise.all(Array.from({ length: 50 }, () => send(`${root}/v1/pets`, { key })))
    const left = "SELECT count(*)::int AS left FROM pg_stat_activity WHERE application_name = 'petstore'"
    t.same(await ask(standby, left), [{ left: 0 }])
  })
})
