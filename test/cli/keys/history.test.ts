import { userInfo } from 'node:os'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { emptyDatabase, runInProcess } from '../in-process.js'

const runKeys = async (environment: Record<string, string>, ...args: string[]) => {
  const ended = await runInProcess(['keys', ...args], environment)
  return { ...ended, json: args.includes('--json') ? JSON.parse(ended.stdout.trimEnd().split('\n').at(-1)!) : undefined }
}

t.test('keys history shows every change of a key: when, by whom, what from and to, and no secret', async (t) => {
  const environment = emptyDatabase(t)
  const { json: made } = await runKeys(environment, 'create', '--name', 'Shop', '--by', 'Ada', '--json')
  const secrets = [made.key]
  for (const change of [
    ['plan', made.id, 'pro', '--by', 'Grace'],
    ['plan', made.id, 'pro'],
    ['scopes', made.id, 'pets:read'],
    ['rename', made.id, 'Mobile app'],
    ['expire', made.id, '2100-01-01'],
    ['unban', made.id],
    ['revoke', made.id, '--by', 'Grace']
  ]) {
    t.equal((await runKeys(environment, ...change)).code, 0, change.join(' '))
    if (change[0] !== 'scopes') continue
    const { json: rotated } = await runKeys(environment, 'rotate', made.id, '--json')
    secrets.push(rotated.key)
  }
  const user = userInfo().username
  const { json } = await runKeys(environment, 'history', made.id, '--json')
  t.match(json, {
    id: made.id,
    name: 'Mobile app',
    changes: [
      { action: 'create', by: 'Ada', from: {}, to: { name: 'Shop', plan: 'free', last4: made.key.slice(-4) } },
      { action: 'plan', by: 'Grace', from: { plan: 'free', perMinute: 60 }, to: { plan: 'pro', perMinute: 300 } },
      { action: 'scopes', by: user, from: { scopes: ['all'] }, to: { scopes: ['pets:read'] } },
      { action: 'rotate', by: user, from: { last4: secrets[0].slice(-4) }, to: { last4: secrets[1].slice(-4) } },
      { action: 'rename', by: user, from: { name: 'Shop' }, to: { name: 'Mobile app' } },
      { action: 'expire', by: user, from: { expires: null }, to: { expires: '2100-01-01T00:00:00.000Z' } },
      { action: 'revoke', by: 'Grace', from: { revoked: null } }
    ]
  })
  t.equal(json.changes.length, 7, 'a command that changed nothing is none of them')
  const { stdout } = await runKeys(environment, 'history', made.id)
  t.match(stdout, /^WHEN +BY +CHANGE +FROM +TO\n/)
  t.match(stdout, /\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +Grace +plan +plan free, perMinute 60, perDay 1000 +plan pro, perMinute 300, perDay 10000\n/)
  const file = new DatabaseSync(environment.DATABASE_URL.slice(7))
  const kept = JSON.stringify(file.prepare('SELECT * FROM key_changes').all())
  file.close()
  for (const secret of secrets) t.notOk(kept.includes(secret.slice(9, 25)), 'nothing of a secret is kept')
})

t.test('a change by nobody who can be named is refused, and a secret is no name', async (t) => {
  const environment = emptyDatabase(t)
  const { json: made } = await runKeys(environment, 'create', '--json')
  for (const by of ['', ' ', 'two\nlines', made.key]) {
    t.match(await runKeys(environment, 'plan', made.id, 'pro', '--by', by), { code: 2, stdout: '' })
  }
  t.match(await runKeys(environment, 'history', 'key_nope'), { code: 1, stderr: /There is no key with the id 'key_nope'/ })
})

t.test('keys history breaks no word on a narrow terminal, and says where nothing was kept', async (t) => {
  const environment = emptyDatabase(t)
  const { json: made } = await runKeys(environment, 'create', '--name', 'Shop', '--by', 'Ada', '--json')
  await runKeys(environment, 'plan', made.id, 'pro', '--by', 'Ada')
  const { stdout } = await runInProcess(['keys', 'history', made.id], environment, { columns: 80 })
  t.match(stdout, /\n\nwhen +\S+ \S+Z\nby +Ada\nchange +plan\nfrom +plan free, perMinute 60, perDay 1000\nto +plan pro, /)
  const file = new DatabaseSync(environment.DATABASE_URL.slice(7))
  file.exec('DELETE FROM key_changes')
  file.close()
  t.match((await runKeys(environment, 'history', made.id)).stdout, /^No change of key_\w+ \(Shop\) is kept/)
})

t.test('keys rename gives a key another name, which applies at once', async (t) => {
  const environment = emptyDatabase(t)
  const { json: made } = await runKeys(environment, 'create', '--name', 'Shop', '--json')
  t.match(await runKeys(environment, 'rename', made.id, 'Café'), {
    code: 0,
    stderr: '',
    stdout: `${made.id} is called Café now; it was called Shop.\n`
  })
  t.match((await runKeys(environment, 'show', made.id, '--json')).json, { name: 'Café' })
  t.match(await runKeys(environment, 'rename', made.id, ''), { code: 2, stderr: /1 to 100 characters/ })
  t.match(await runKeys(environment, 'rename', 'key_nope', 'x'), { code: 1, stderr: /There is no key/ })
})

t.test('keys list shows the keys of a plan, in a state, or with a text in their names, in an order', async (t) => {
  const environment = emptyDatabase(t)
  const ids: Record<string, string> = {}
  for (const [name, ...options] of [
    ['Shop 10', '--plan', 'pro'],
    ['Shop 9'],
    ['app', '--expires', '1d'],
    ['Éclair', '--plan', 'business']
  ]) {
    ids[name!] = (await runKeys(environment, 'create', '--name', name!, ...options, '--json')).json.id
  }
  await runKeys(environment, 'revoke', ids['Shop 9']!)
  const file = new DatabaseSync(environment.DATABASE_URL.slice(7))
  file.exec(`UPDATE api_keys SET banned_until = ${Date.now() + 99_999}, ban_level = 1 WHERE id = '${ids['Éclair']}'`)
  file.exec(`UPDATE api_keys SET expires_at = 5 WHERE id = '${ids.app}'`)
  const today = Date.now() - (Date.now() % 86_400_000)
  file.exec(`INSERT INTO usage VALUES ('${ids.app}', 'day', ${today}, 9, NULL), ('${ids['Éclair']}', 'day', ${today}, 50, 7)`)
  file.close()
  const wanted: [args: string[], names: string[]][] = [
    [[], ['Shop 10', 'Shop 9', 'app', 'Éclair']],
    [['--sort', 'name'], ['app', 'Éclair', 'Shop 9', 'Shop 10']],
    [['--sort', 'plan'], ['Shop 9', 'app', 'Shop 10', 'Éclair']],
    [['--sort', 'used'], ['app', 'Éclair', 'Shop 10', 'Shop 9']],
    [['--plan', 'free'], ['Shop 9', 'app']],
    [['--state', 'active'], ['Shop 10']],
    [['--state', 'revoked'], ['Shop 9']],
    [['--state', 'expired'], ['app']],
    [['--state', 'banned'], ['Éclair']],
    [['--name', 'SHOP'], ['Shop 10', 'Shop 9']],
    [['--name', 'shop', '--plan', 'pro'], ['Shop 10']],
    [['--name', 'nothing'], []]
  ]
  for (const [args, names] of wanted) {
    const { json } = await runKeys(environment, 'list', ...args, '--json')
    t.same(json.keys.map(({ name }: { name: string }) => name), names, args.join(' '))
  }
  t.equal((await runKeys(environment, 'list', '--name', 'nothing')).stdout, 'No key is like that.\n')
  for (const args of [['--plan', 'gold'], ['--state', 'lost'], ['--sort', 'size']]) {
    t.match(await runKeys(environment, 'list', ...args), { code: 2, stderr: /Allowed choices are/ })
  }
})
