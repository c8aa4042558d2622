import t from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

/** Runs `petstore keys …` beside the server. */
async function keys (environment: Record<string, string>, ...args: string[]) {
  const ended = await runInProcess(['keys', ...args], environment)
  const last = ended.stdout.trim().split('\n').at(-1)!
  return { ...ended, json: args.includes('--json') ? (JSON.parse(last) as Record<string, any>) : {} }
}

async function call (root: string, secret: string) {
  const response = await fetch(`${root}/v1/pets`, { headers: { authorization: `Bearer ${secret}` } })
  await response.arrayBuffer()
  return {
    status: response.status,
    limit: response.headers.get('x-ratelimit-limit'),
    remaining: response.headers.get('x-ratelimit-remaining')
  }
}

const environment = { ...emptyDatabase(t), LOG_LEVEL: 'silent' }
const server = await startProgram(t, environment)
const { root } = server

t.test('every change of a key applies to the next request of a running server', async (t) => {
  const { json: made } = await keys(environment, 'create', '--name', 'Shop', '--json')

  t.match(await call(root, made.key), { status: 200, limit: '60' })
  t.match(await keys(environment, 'plan', made.id, 'pro', '--json'), {
    code: 0,
    json: { id: made.id, plan: 'pro', perMinute: 300, perDay: 10_000 }
  })
  t.match(await call(root, made.key), { status: 200, limit: '300' })
  t.match(
    (await keys(environment, 'plan', made.id, 'enterprise', '--per-minute', '7', '--per-day', '7')).stdout,
    'on the plan enterprise: 7 requests a minute, 7 a day.'
  )
  t.same(await call(root, made.key), { status: 200, limit: '7', remaining: '4' }, 'what was used counts on')

  const { json: rotated } = await keys(environment, 'rotate', made.id, '--overlap', '1h', '--json')
  t.match(rotated.key, /^pet_live_\w{38}$/)
  t.not(rotated.key, made.key)
  t.equal((await call(root, made.key)).status, 200, 'the secret before is good for an hour')
  t.equal((await call(root, rotated.key)).status, 200)
  await keys(environment, 'rotate', made.id, '--overlap', '0s')
  t.equal((await call(root, rotated.key)).status, 401, 'no overlap: refused at once')

  const { json: other } = await keys(environment, 'create', '--json')
  await keys(environment, 'expire', other.id, '2100-01-01')
  t.equal((await call(root, other.key)).status, 200)
  await keys(environment, 'expire', other.id, '1s')
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  t.equal((await call(root, other.key)).status, 401)
  t.match((await keys(environment, 'expire', other.id, 'never')).stdout, 'expires: never')
  t.equal((await call(root, other.key)).status, 200)
  await keys(environment, 'revoke', other.id)
  t.equal((await call(root, other.key)).status, 401)
  t.match(await keys(environment, 'rotate', other.id), {
    code: 1,
    stderr: new RegExp(`^petstore: ${other.id} \\(unnamed\\) gets no new secret: it is revoked \\S+ \\S+Z\\.\\n$`)
  })
  t.match((await keys(environment, 'expire', other.id, 'never')).stdout, 'it is revoked')
})

t.test('every overlap that was promised is kept, and one too many is refused with the times when they end', async (t) => {
  const { json: made } = await keys(environment, 'create', '--json')
  const secrets: string[] = [made.key]
  for (const overlap of ['24h', '1h', '2h', '3h', '4h']) {
    const { json: rotated } = await keys(environment, 'rotate', made.id, '--overlap', overlap, '--json')
    secrets.push(rotated.key)
    t.equal(rotated.previousSecretsUntil.length, secrets.length - 1)
    for (const secret of secrets) t.equal((await call(root, secret)).status, 200)
  }
  const { previousSecretsUntil: ends } = (await keys(environment, 'show', made.id, '--json')).json
  t.same(ends, [...ends].sort(), 'the first to end comes first')
  const { code, stdout, stderr } = await keys(environment, 'rotate', made.id)
  t.same({ code, stdout }, { code: 1, stdout: '' })
  t.match(
    stderr,
    `5 secrets of ${made.id} are good besides its newest, and no more may be. They end at ${ends.join(', ')}. `
  )
  t.equal((await call(root, secrets.at(-1)!)).status, 200, 'nothing has changed')
  t.match(
    (await keys(environment, 'show', made.id)).stdout,
    /^secret +ends with \w{4}\n( +one before is good until \S+ \S+Z\n){5}created/m
  )

  const { json: only } = await keys(environment, 'rotate', made.id, '--overlap', '0s', '--end-overlaps', '--json')
  t.same(only.previousSecretsUntil, [])
  for (const secret of secrets) t.equal((await call(root, secret)).status, 401)
  t.equal((await call(root, only.key)).status, 200)
  for (const [overlap, says] of [
    ['0s', /has a new secret\. None before it is good any more\./],
    ['1h', /has a new secret\. One before it is good until \S+Z\./],
    ['2h', /has a new secret\. 2 before it are good until \S+Z, \S+Z\./]
  ] as const) {
    t.match((await keys(environment, 'rotate', made.id, '--overlap', overlap)).stdout, says)
  }
  await keys(environment, 'expire', made.id, '30m')
  const { expires, previousSecretsUntil } = (await keys(environment, 'show', made.id, '--json')).json
  t.same(previousSecretsUntil, [expires, expires], 'no overlap outlives the key')
  t.match((await keys(environment, 'show', made.id)).stdout, /\n +2 before are good until \S+ \S+Z\ncreated/)
  const rotated = await keys(environment, 'rotate', made.id, '--overlap', '2h')
  t.match(rotated.stdout, `3 before it are good until ${expires} (3 of them).`)
})

t.test(
  'scopes are shown, change with the next request, and stay with the key when its secret is rotated',
  async (t) => {
    const { json: made } = await keys(environment, 'create', '--scopes', 'pets:write,store:read', '--json')
    t.equal((await call(root, made.key)).status, 403)
    t.match(
      (await keys(environment, 'scopes', made.id, 'pets:read')).stdout,
      `${made.id} (unnamed) has the scopes: pets:read.`
    )
    t.equal((await call(root, made.key)).status, 200)
    const { json: rotated } = await keys(environment, 'rotate', made.id, '--json')
    t.same(rotated.scopes, ['pets:read'])
    await keys(environment, 'scopes', made.id, 'store:write,store:read')
    for (const secret of [made.key, rotated.key]) t.equal((await call(root, secret)).status, 403)
    t.match((await keys(environment, 'show', made.id)).stdout, /^scopes +store:read, store:write$/m)
    t.match((await keys(environment, 'list')).stdout, / free +store:read,store:write +/)
    t.same((await keys(environment, 'scopes', made.id, 'all', '--json')).json.scopes, ['all'])
    t.equal((await call(root, rotated.key)).status, 200)
    t.match((await keys(environment, 'create', '--scopes', 'pets:read')).stdout, / 1000 a day\. Scopes: pets:read\.\n/)
  }
)

t.test('a ban is shown and can be ended by hand', async (t) => {
  const { json: made } = await keys(
    environment,
    'create',
    '--plan',
    'enterprise',
    '--per-minute',
    '1',
    '--per-day',
    '1',
    '--json'
  )
  // The refusals must fall into one minute; those of its first second do not count.
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left))
  for (let i = 0; i < 2; i++) await call(root, made.key)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  for (let i = 0; i < 10; i++) await call(root, made.key)
  t.match((await keys(environment, 'show', made.id, '--json')).json.bannedUntil, /^\d{4}-/)
  t.match((await keys(environment, 'list')).stdout, /banned until/)
  const { bannedUntil } = (await keys(environment, 'show', made.id, '--json')).json
  const words = `${made.id} (unnamed) is not banned any more; it was until ${bannedUntil}.\n`
  t.match(await keys(environment, 'unban', made.id), { code: 0, stdout: words })
  t.equal((await keys(environment, 'show', made.id, '--json')).json.bannedUntil, null)
  t.match((await keys(environment, 'unban', made.id)).stdout, `${made.id} (unnamed) was not banned.\n`)
})

t.test('a running server takes a new key and refuses a revoked one with the very next request', async (t) => {
  const { json: made } = await keys(environment, 'create', '--json')
  t.equal((await call(root, made.key)).status, 200)
  const { json: first } = await keys(environment, 'revoke', made.id, '--json')
  t.equal((await call(root, made.key)).status, 401)
  t.match(first, { id: made.id, revoked: /Z$/ })
  t.same((await keys(environment, 'revoke', made.id, '--json')).json, first, 'a second time changes nothing')
  t.match((await keys(environment, 'revoke', made.id)).stdout, `${made.id} (unnamed) was already revoked 2`)
})

t.test('list and show tell the last use and what was used today, never a secret', async (t) => {
  const { json: made } = await keys(environment, 'create', '--name', 'Shop', '--json')
  t.match((await keys(environment, 'show', made.id)).stdout, /last used {2,}never/)
  for (let i = 0; i < 7; i++) await call(root, made.key)
  await server.stop()
  const { json: shown } = await keys(environment, 'show', made.id, '--json')
  t.equal(shown.usedToday, 7)
  t.ok(Date.now() - Date.parse(shown.lastUsed) < 120_000)
  const { stdout: table } = await keys(environment, 'list')
  t.match(table, /^ID +NAME +PLAN +SCOPES +LAST 4 +CREATED +LAST USED +TODAY +STATE$/m)
  t.match(table, new RegExp(`^${made.id} +Shop +free +all +${made.last4} .* 7 of 1000 +active$`, 'm'))
  for (const args of [['list'], ['list', '--json'], ['show', made.id], ['show', made.id, '--json']]) {
    t.notMatch((await keys(environment, ...args)).stdout, made.key)
  }
})

t.test('wrong words are refused with a sentence and exit code 2, and unknown ids with exit code 1', async (t) => {
  const environment = emptyDatabase(t)
  const wanted: [args: string[], message: RegExp][] = [
    [['show'], /missing required argument 'id'/],
    [['show', 'key_nope'], /There is no key with the id 'key_nope'/],
    [['rotate', 'key_nope'], /There is no key/],
    [['rotate', 'key_nope', '--overlap', 'soon'], /must be a number with a unit/],
    [['expire', 'key_nope', 'tomorrow'], /must be a duration/],
    [['expire', 'key_nope', '2001-01-01'], /must lie in the future/],
    [['expire', 'key_nope', '2027-02-32'], /must be a duration/],
    [['expire', 'key_nope', '2027-02-30'], /must be a duration/],
    [['expire', 'key_nope', '2027-06-31T10:00Z'], /must be a duration/],
    [['plan', 'key_nope', 'gold'], /Allowed choices are free, pro, business, enterprise/],
    [['plan', 'key_nope', 'enterprise'], /needs both --per-minute and --per-day/],
    [['plan', 'key_nope', 'pro', '--per-minute', '5'], /has its own limits/],
    [['scopes', 'key_nope', 'all'], /There is no key/],
    [['unban', 'key_nope'], /There is no key/],
    [['create', '--expires', 'never-ever'], /must be a duration/]
  ]
  for (const [args, message] of wanted) {
    const { code, stderr, stdout } = await keys(environment, ...args)
    t.equal(code, stderr.startsWith('petstore: There is no key') ? 1 : 2, args.join(' '))
    t.match(stderr, message)
    t.equal(stdout, '')
  }
})
