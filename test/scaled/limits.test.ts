import t from 'tap'
import { minuteWith, startCluster } from '../support/cluster.js'
import { scaledLack } from '../support/databases.js'
import { hangUp, send, tally } from '../support/load.js'
import { tell } from '../support/redis.js'
import { eventually } from '../support/server.js'
import { leaveOut } from '../support/user.js'

t.test('three servers', async (t) => {
  if (scaledLack) return leaveOut(t, scaledLack)
  const cluster = await startCluster(t)
  const { servers, redis, makeKey, run } = cluster
  t.teardown(hangUp)
  const everywhere = (key: string) => Promise.all(servers.map(async ({ root }) => (await send(`${root}/v1/pets`, { key })).status))

  await t.test('let exactly 300 of 3,000 requests at once on Pro pass, and the day counter says 300', async (t) => {
    const { id, secret: key } = await makeKey({ plan: 'pro' })
    await minuteWith(5_000) // for the first refusals; they bring a ban that outlasts the minute
    const answers = await Promise.all(Array.from({ length: 3_000 }, (_, index) => send(`${servers[index % 3]!.root}/v1/pets?limit=1`, { key })))
    t.same(tally(answers), { 200: 300, 429: 2_700 })
    t.equal(await tell(redis.url, 'HGET', `petstore:usage:{${id}}`, 'dayUsed'), '300')
    const shown = await eventually(async () => {
      const view = await run('keys', 'show', id)
      if (view.usedToday < 300) throw new Error(`The database says ${view.usedToday}.`)
      return view
    })
    t.equal(shown.usedToday, 300)
    t.ok(shown.bannedUntil, 'who went on is banned')
    t.same(await everywhere(key), [429, 429, 429], 'everywhere')
    t.comment(`${servers.length} servers, 3,000 requests: ${JSON.stringify(tally(answers))}, day counter ${shown.usedToday}`)
  })

  await t.test('refuse a revoked key with their next answer, and know a changed plan', async (t) => {
    const { id, secret: key } = await makeKey()
    t.same(await everywhere(key), [200, 200, 200])
    await run('keys', 'plan', id, 'business')
    for (const { root } of servers) t.equal((await send(`${root}/v1/pets`, { key })).headers['x-ratelimit-limit'], '1000')
    await run('keys', 'revoke', id)
    const revoked = performance.now()
    t.same(await everywhere(key), [401, 401, 401])
    t.comment(`refused by all ${Math.ceil(performance.now() - revoked)} ms after the revocation`)
  })

  await t.test('know of each other: the counters of Redis live in one hash slot for each key, and expire', async (t) => {
    const { id, secret: key } = await makeKey()
    await everywhere(key)
    const keys = await tell(redis.url, 'KEYS', `*${id}*`) as string[]
    t.same(keys, [`petstore:usage:{${id}}`])
    const left = Number(await tell(redis.url, 'PTTL', keys[0]!))
    t.ok(left > 0 && left <= 86_460_000, `expires in ${left} ms`)
    t.equal(await tell(redis.url, 'ZCARD', 'petstore:servers'), 3)
  })
})
