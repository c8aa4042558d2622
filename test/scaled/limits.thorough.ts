import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { revokeUnderLoad, stormPro } from '../../scripts/cluster/agreement.js'
import { minuteWith, startCluster } from '../../scripts/cluster/cluster.js'
import { hangUp, send } from '../../scripts/cluster/load.js'
import { tell } from '../../scripts/cluster/redis.js'
import { BAN_GRACE } from '../../src/domain/bans.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'

t.test('three servers', async (t) => {
  if (missingScaled) return leaveOut(t, missingScaled)
  const cluster = await startCluster(t)
  const { servers, redis, makeKey, run } = cluster
  t.teardown(hangUp)
  const everywhere = (key: string) =>
    Promise.all(servers.map(async ({ root }) => (await send(`${root}/v1/pets`, { key })).status))

  await t.test('let exactly 300 of 3,000 requests at once on Pro pass, and the day counter says 300', async (t) => {
    await minuteWith(20_000)
    const figures = await stormPro(cluster, 3_000)
    t.same(figures, { tally: { 200: 300, 429: 2_700 }, day: 300 })
    t.comment(`${servers.length} servers, 3,000 requests: ${JSON.stringify(figures)}`)
  })

  await t.test('ban everywhere a key that goes on after its 429s', async (t) => {
    const { id, secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
    await minuteWith(5_000)
    const callEach = async (times: number) => {
      for (let count = 0; count < times; count++) await send(`${servers[count % 3]!.root}/v1/pets?limit=1`, { key })
    }
    await callEach(2)
    await setTimeout(BAN_GRACE + 100)
    await callEach(10)
    t.ok((await run('keys', 'show', id)).bannedUntil)
    t.same(await everywhere(key), [429, 429, 429])
  })

  await t.test(
    'refuse a revoked key within 1 s while it is used, and know a changed plan with the next request',
    async (t) => {
      const { id, secret: key } = await makeKey()
      t.same(await everywhere(key), [200, 200, 200])
      await run('keys', 'plan', id, 'business')
      for (const { root } of servers) {
        t.equal((await send(`${root}/v1/pets`, { key })).headers['x-ratelimit-limit'], '1000')
      }
      const { before, served, ms } = await revokeUnderLoad(cluster)
      t.equal(served, 0, 'none that was sent after it')
      t.ok(ms <= 1_000, `refused everywhere ${ms} ms after it, ${before} answers before`)
    }
  )

  await t.test('show exactly what a key has used today, however its requests were spread', async (t) => {
    const { id, secret: key } = await makeKey({ plan: 'enterprise', perMinute: 100, perDay: 100 })
    await minuteWith(20_000)
    let sent = 0
    for (const times of [1, 2, 3, 20, 94]) {
      for (let time = 0; time < times; time++) await send(`${servers[++sent % 3]!.root}/v1/pets?limit=1`, { key })
      const used = Math.min(sent, 100)
      t.equal((await run('keys', 'show', id)).usedToday, used)
      const { days } = await run('keys', 'usage', id, '--days', '1')
      t.match(days, [{ '2xx': used, 429: sent - used, '4xx': 0, '5xx': 0 }])
    }
  })

  await t.test(
    'know of each other: the counters of Redis live in one hash slot for each key, and expire',
    async (t) => {
      const { id, secret: key } = await makeKey()
      await everywhere(key)
      const keys = (await tell(redis.url, 'KEYS', `*${id}*`)) as string[]
      t.same(keys, [`petstore:usage:{${id}}`])
      const left = Number(await tell(redis.url, 'PTTL', keys[0]!))
      t.ok(left > 0 && left <= 86_460_000, `expires in ${left} ms`)
      t.equal(await tell(redis.url, 'ZCARD', 'petstore:servers'), 3)
    }
  )
})
