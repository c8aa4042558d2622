import t from 'tap'
import { recordingLogger } from '../../support/log.js'
import { startService, type Service } from '../../support/service.js'

const BANNED = {
  code: 'key_banned',
  message: 'This API key is banned for a while. Wait as long as the Retry-After header says.',
  status: 429
}

/**
 * A key whose only request of the minute is spent. It is refused twice, and ten times more a second later; the last of
 * these tells of the ban.
 */
async function bannedKey ({ call, makeKey, clock }: Service) {
  const made = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1_000 })
  t.equal((await call('GET', '/pets', { key: made.secret })).status, 200)
  for (let i = 0; i < 2; i++) t.equal((await call('GET', '/pets', { key: made.secret })).json.code, 'rate_limited')
  clock.advance(1_000)
  for (let i = 1; i < 10; i++) t.equal((await call('GET', '/pets', { key: made.secret })).json.code, 'rate_limited')
  const tenth = await call('GET', '/pets', { key: made.secret })
  t.same([tenth.json.code, tenth.headers.get('retry-after')], ['key_banned', '60'])
  return made
}

t.test('a client that goes on after its 429s is banned by its key for a minute, and told until when', async (t) => {
  const service = await startService(t)
  const { call, clock, key } = service
  clock.set('2026-03-04T10:20:16.500Z')
  const { secret } = await bannedKey(service)
  const refused = await call('GET', '/pets', { key: secret })
  t.same(refused.json, BANNED)
  t.equal(refused.headers.get('retry-after'), '60')
  t.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  t.equal(refused.headers.get('ratelimit'), '"minute";r=0;t=43, "day";r=999;t=49183', 'each window as it is')
  t.equal(Number(refused.headers.get('x-ratelimit-reset')), Math.ceil(Date.parse('2026-03-04T10:21:17.500Z') / 1000))
  t.equal((await call('GET', '/pets', { key })).status, 200, 'another key is not banned')
  clock.set('2026-03-04T10:21:17.499Z')
  const later = await call('GET', '/pets', { key: secret })
  t.same(later.json, BANNED, 'in a window that has begun since')
  t.equal(later.headers.get('ratelimit'), '"minute";r=1;t=43, "day";r=999;t=49123', 'which is unspent')
  clock.set('2026-03-04T10:21:17.500Z')
  t.equal((await call('GET', '/pets', { key: secret })).status, 200, 'over')
})

t.test('refusals in the first second after the first one do not count towards a ban', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: key } = await makeKey()
  const burst = await Promise.all(Array.from({ length: 200 }, () => call('GET', '/pets', { key })))
  const codes = burst.map(({ status, json }) => (status === 200 ? 'ok' : json.code))
  t.same([...new Set(codes)].sort(), ['ok', 'rate_limited'], 'one burst bans nobody')
  clock.advance(999)
  for (let i = 0; i < 20; i++) t.equal((await call('GET', '/pets', { key })).json.code, 'rate_limited')
  clock.advance(1)
  for (let i = 0; i < 9; i++) t.equal((await call('GET', '/pets', { key })).json.code, 'rate_limited')
  t.equal((await call('GET', '/pets', { key })).json.code, 'key_banned')
})

t.test('the second begins again in the next minute', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 20; i++) await call('GET', '/pets', { key })
    clock.advance(1_000)
    for (let i = 0; i < 9; i++) t.equal((await call('GET', '/pets', { key })).json.code, 'rate_limited')
    clock.advance(59_000)
  }
})

t.test('calls during a ban do not lengthen it', async (t) => {
  const service = await startService(t)
  const { call, clock } = service
  const { secret } = await bannedKey(service)
  for (let i = 0; i < 30; i++) t.equal((await call('POST', '/pets', { key: secret, body: {} })).json.code, 'key_banned')
  clock.advance(60_000)
  t.equal((await call('GET', '/pets', { key: secret })).status, 200)
})

t.test('each further ban is longer: 1, 5, 15, 60 minutes, 24 hours, 24 hours', async (t) => {
  const service = await startService(t)
  const { call, clock } = service
  const { secret } = await bannedKey(service)
  for (const [index, minutes] of [1, 5, 15, 60, 1_440, 1_440].entries()) {
    if (index > 0) for (let i = 0; i < 2; i++) await call('GET', '/pets', { key: secret })
    if (index > 0) clock.advance(1_000)
    if (index > 0) for (let i = 0; i < 10; i++) await call('GET', '/pets', { key: secret })
    const refused = await call('GET', '/pets', { key: secret })
    t.same([refused.json.code, refused.headers.get('retry-after')], ['key_banned', String(minutes * 60)])
    clock.advance(minutes * 60_000)
  }
})

t.test('a ban goes to the log once, with the id of the key and never its secret', async (t) => {
  const { lines, logger } = recordingLogger('warn')
  const service = await startService(t, { logger })
  const { id, secret } = await bannedKey(service)
  await service.call('GET', '/pets', { key: secret })
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0]!), { level: 40, keyId: id, banLevel: 1, msg: 'API key banned' })
  t.notMatch(lines[0], secret)
})

t.test('the history of a key has each ban, with when it began and ends, by the server', async (t) => {
  const service = await startService(t)
  const { clock, repositories } = service
  const { id, secret } = await bannedKey(service)
  const [first, ...others] = await repositories.keyHistory.changesOf(id)
  t.same(others, [])
  const end = first!.at.valueOf() + 60_000
  t.match(first, {
    by: 'server',
    action: 'ban',
    from: { bannedUntil: null },
    to: { bannedUntil: new Date(end).toISOString() }
  })
  t.same((await repositories.apiKeys.find(id))!.ban, { level: 1, until: end })
  for (let i = 0; i < 30; i++) await service.call('GET', '/pets', { key: secret })
  t.equal((await repositories.keyHistory.changesOf(id)).length, 1, 'calls during a ban are no change')
  clock.advance(60_000)
  for (let i = 0; i < 2; i++) await service.call('GET', '/pets', { key: secret })
  clock.advance(1_000)
  for (let i = 0; i < 70; i++) await service.call('GET', '/pets', { key: secret })
  await repositories.keyHistory.recordedBy('Ada', clock).change(id, { ban: null })
  const { ban } = await repositories.apiKeys.find(id) ?? {}
  t.equal(ban, undefined)
  const [, second, third] = await repositories.keyHistory.changesOf(id)
  t.match(second, { by: 'server', action: 'ban', from: { bannedUntil: new Date(end).toISOString() } })
  t.match(third, { by: 'Ada', action: 'unban', from: second!.to, to: { bannedUntil: null } })
})

t.test('ending a ban by hand applies to the next request', async (t) => {
  const service = await startService(t)
  const { call, repositories, clock } = service
  const { id, secret } = await bannedKey(service)
  t.equal((await call('GET', '/pets', { key: secret })).json.code, 'key_banned')
  await repositories.apiKeys.change(id, { ban: null })
  t.equal((await call('GET', '/pets', { key: secret })).json.code, 'rate_limited', 'its window is spent as before')
  clock.advance(60_000)
  t.equal((await call('GET', '/pets', { key: secret })).status, 200)
})
