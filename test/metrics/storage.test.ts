import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { until } from '../support/until.js'
import { samplesOf, startMeasured, type Samples } from './measured.js'

t.test('the work of the storage is measured by operation and engine, and how many writes share a commit', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t)
  const key = await makeKey('enterprise')
  await fetch('GET', '/v1/pets', { key })
  const before = await read()
  const commits = (samples: Samples) => samples.get('petstore_commit_writes_count')!
  const writes = (samples: Samples) => samples.get('petstore_commit_writes_sum')!
  await Promise.all(
    Array.from({ length: 40 }, () => fetch('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } }))
  )
  await fetch('GET', '/v1/pets', { key })
  const after = await read()
  t.ok(commits(after) > commits(before))
  // What the server writes by itself every second may be among them.
  t.ok(writes(after) - writes(before) >= 40)
  const inserts = 'petstore_storage_duration_seconds_count{engine="sqlite",operation="insert"}'
  t.equal(after.get(inserts)! - before.get(inserts)!, 40)
  const selects = 'petstore_storage_duration_seconds_count{engine="sqlite",operation="select"}'
  t.ok(after.get(selects)! > before.get(selects)!)
})

t.test('what a server does by itself is measured apart from what requests wait for', async (t) => {
  const { fetch, makeKey, read } = await startMeasured(t)
  const key = await makeKey('enterprise')
  for (let i = 0; i < 3; i++) await fetch('GET', '/v1/pets', { key })
  const counts = (samples: Samples) => {
    const { '{engine="sqlite",operation="upkeep"}': upkeep = 0, ...others } = samplesOf(
      samples,
      'petstore_storage_duration_seconds_count'
    )
    return { upkeep, others }
  }
  const before = counts(await read())
  t.ok(before.others['{engine="sqlite",operation="select"}'])
  // Longer than it takes until the answers of above are written.
  await until(async () => {
    await fetch('GET', '/healthz')
    await fetch('GET', '/readyz')
    return counts(await read()).upkeep >= before.upkeep + 20
  })
  t.same(counts(await read()).others, before.others)
})

t.test('a lock that another program holds shows as a wait, as failures and as a database that cannot be written', async (t) => {
  const { fetch, makeKey, read, url } = await startMeasured(t)
  const key = await makeKey('enterprise')
  await fetch('GET', '/v1/pets', { key })
  const other = new DatabaseSync(url.slice('sqlite:'.length))
  t.teardown(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const { status } = await fetch('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } })
  t.equal(status, 503)
  const samples = await read()
  t.equal(samples.get('petstore_database_available{access="read"}'), 1)
  t.equal(samples.get('petstore_database_available{access="write"}'), 0)
  t.equal(samples.get('petstore_storage_failures_total{engine="sqlite",operation="insert"}'), 1)
  t.ok(samples.get('petstore_lock_wait_seconds_count')! >= 1)
  t.ok(samples.get('petstore_lock_wait_seconds_sum')! > 1)
  other.exec('ROLLBACK')
  await fetch('POST', '/v1/pets', { key, body: { name: 'Rex', categoryId: 1 } })
  t.equal((await read()).get('petstore_database_available{access="write"}'), 1)
})

t.test('a database that is gone shows as one that cannot be read', async (t) => {
  const { read, url } = await startMeasured(t)
  rmSync(url.slice('sqlite:'.length))
  const samples = await read()
  t.equal(samples.get('petstore_database_available{access="read"}'), 0)
  t.equal(samples.get('petstore_database_available{access="write"}'), 0)
})

t.test('the age of the newest backup is that of the newest file that is finished', async (t) => {
  const folder = join(t.testdir(), 'backups')
  const { read, clock } = await startMeasured(t, { backupPath: folder })
  const age = async () => (await read()).get('petstore_backup_age_seconds')
  t.equal(await age(), undefined)
  mkdirSync(folder)
  t.equal(await age(), undefined)
  const write = (name: string, hoursAgo: number): void => {
    writeFileSync(join(folder, name), '')
    const time = clock.now() / 1000 - hoursAgo * 3_600
    utimesSync(join(folder, name), time, time)
  }
  write('petstore-a.db', 30)
  write('petstore-b.db', 5)
  write('petstore-c.db.17.new', 0)
  mkdirSync(join(folder, 'other'))
  t.equal(Math.round((await age())!), 5 * 3_600)
})
