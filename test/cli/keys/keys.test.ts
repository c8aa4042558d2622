import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runProgram, type Ended } from '../../../scripts/cluster/program.js'
import { isSecret, newSecret } from '../../../src/domain/api-keys.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

const databaseOf = (t: Test) => ({ DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` })
const lastLine = ({ stdout }: Ended) => JSON.parse(stdout.trimEnd().split('\n').at(-1)!)

t.test('keys create prints the key once, with its limits, and keeps only its hash', async (t) => {
  const database = emptyDatabase(t)
  const { code, stdout, stderr } = await runProgram(
    ['keys', 'create', '--name', 'Mobile app', '--plan', 'pro'],
    database
  )
  t.same({ code, stderr }, { code: 0, stderr: '' })
  t.match(
    stdout,
    /^Made key_\w{16} \(Mobile app\), plan pro: 300 requests a minute, 10000 a day\.\n\n {2}pet_live_\w{38}\n\nKeep it now: it is stored only as a hash and cannot be shown again\.\n$/
  )
  const secret = /pet_live_\w{38}/.exec(stdout)![0]
  t.ok(isSecret(secret))
  t.notOk(readFileSync(database.DATABASE_URL.slice(7)).includes(secret.slice(9, 25)))
})

t.test('keys create --json prints one JSON object on the last line', async (t) => {
  const database = emptyDatabase(t)
  const wanted: [args: string[], found: object][] = [
    [[], { name: 'unnamed', plan: 'free', perMinute: 60, perDay: 1_000, revoked: null, key: /^pet_live_/ }],
    [['--test', '--name', 'a'], { name: 'a', plan: 'free', key: /^pet_test_/ }],
    [['--scopes', 'store:read, pets:read,pets:read'], { scopes: ['pets:read', 'store:read'] }],
    [['--scopes', 'all'], { scopes: ['all'] }],
    [
      ['--plan', 'enterprise', '--per-minute', '5', '--per-day', '5'],
      { plan: 'enterprise', perMinute: 5, perDay: 5, scopes: ['all'] }
    ]
  ]
  for (const [args, found] of wanted) {
    const made = lastLine(await runInProcess(['keys', 'create', ...args, '--json'], database))
    t.match(made, { id: /^key_\w{16}$/, created: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, ...found }, args.join(' '))
    t.ok(isSecret(made.key))
    t.equal(made.last4, made.key.slice(-4))
  }
})

t.test('keys list shows every key, revoked ones too, and never a secret', async (t) => {
  const database = emptyDatabase(t)
  t.match(await runInProcess(['keys', 'list'], database), {
    code: 0,
    stdout: 'There are no keys. Make one with: petstore keys create\n'
  })
  t.same(lastLine(await runInProcess(['keys', 'list', '--json'], database)), { keys: [] })
  const made = []
  for (const name of ['first', 'second']) {
    made.push(lastLine(await runInProcess(['keys', 'create', '--name', name, '--json'], database)))
  }
  t.match(await runInProcess(['keys', 'revoke', made[0].id], database), {
    code: 0,
    stderr: '',
    stdout: `Revoked ${made[0].id} (first).\n`
  })

  const table = await runInProcess(['keys', 'list'], database)
  const json = await runInProcess(['keys', 'list', '--json'], database)
  const lines = table.stdout.trimEnd().split('\n')
  t.match(lines[0], /^ID +NAME +PLAN +SCOPES +LAST 4 +CREATED +LAST USED +TODAY +STATE$/)
  t.match(
    lines[1],
    new RegExp(`^${made[0].id} +first +free +all +${made[0].last4} +\\S+ \\S+Z +never +0 of 1000 +revoked \\S+ \\S+Z$`)
  )
  t.match(
    lines[2],
    new RegExp(`^${made[1].id} +second +free +all +${made[1].last4} +\\S+ \\S+Z +never +0 of 1000 +active$`)
  )
  t.same(
    lastLine(json).keys.map(({ id, revoked }: { id: string; revoked: string | null }) => [id, revoked !== null]),
    [
      [made[0].id, true],
      [made[1].id, false]
    ]
  )
  for (const { key } of made) for (const { stdout } of [table, json]) t.notOk(stdout.includes(key.slice(9, 25)))
})

t.test('wrong words are told in a sentence, with exit code 2, and leave no database behind', async (t) => {
  const database = databaseOf(t)
  const enterprise = ['create', '--plan', 'enterprise']
  const wanted: [args: string[], says: RegExp][] = [
    [enterprise, /The plan enterprise needs both --per-minute and --per-day\./],
    [[...enterprise, '--per-minute', '5'], /The plan enterprise needs both --per-minute and --per-day\./],
    [[...enterprise, '--per-day', '5'], /The plan enterprise needs both --per-minute and --per-day\./],
    [
      [...enterprise, '--per-minute', '6', '--per-day', '5'],
      /The limit per day may not be smaller than the limit per minute\./
    ],
    [
      [...enterprise, '--per-minute', '1', '--per-day', '2147483648'],
      /A limit must be a whole number from 1 to 2147483647\./
    ],
    ...['0', '-1', '1.5', '1e3', '05', ' 5', 'x', ''].map((number): [string[], RegExp] => [
      [...enterprise, `--per-minute=${number}`, '--per-day', '5'],
      /option '--per-minute <n>' argument '.*' is invalid\. It must be a whole number, 1 or more\./
    ]),
    [
      ['create', '--per-minute', '5'],
      /The plan free has its own limits; only enterprise takes --per-minute and --per-day\./
    ],
    [
      ['create', '--plan', 'gold'],
      /option '--plan <plan>' argument 'gold' is invalid\. Allowed choices are free, pro, business, enterprise\./
    ],
    ...['', 'pets:wirte,pets:read', 'all,pets:read'].map((scopes): [string[], RegExp] => [
      ['create', '--scopes', scopes],
      /option '--scopes <list>' argument '.*' is invalid\. It must be all, or some of: pets:read,pets:write,store:read,store:write\./
    ]),
    [['scopes', 'key_1'], /missing required argument 'list'/],
    [
      ['scopes', 'key_1', 'pets:wirte'],
      /argument 'pets:wirte' is invalid for argument 'list'\. It must be all, or some of|command-argument value 'pets:wirte' is invalid for argument 'list'\. It must be all, or some of/
    ],
    [['create', '--plan'], /option '--plan <plan>' argument missing/],
    ...['', ' ', 'x'.repeat(101), 'two\nlines', '\u001b[31m'].map((name): [string[], RegExp] => [
      ['create', '--name', name],
      /option '--name <name>' argument '[^]*' is invalid\. It must have 1 to 100 characters, none of them invisible\./
    ]),
    [['create', '--nmae', 'x'], /unknown option '--nmae'\n\(Did you mean --name\?\)/],
    [['create', 'more'], /too many arguments for 'create'/],
    [['revoke'], /missing required argument 'id'/],
    [['crate'], /unknown command 'crate'\n\(Did you mean create\?\)/]
  ]
  for (const [args, says] of wanted) {
    const { code, stdout, stderr } = await runInProcess(['keys', ...args], database)
    t.same({ code, stdout }, { code: 2, stdout: '' }, JSON.stringify(args))
    t.match(stderr, says)
  }
  t.notOk(existsSync(database.DATABASE_URL.slice(7)))
})

t.test('an unknown id is told with exit code 1; a secret given for an id is not repeated', async (t) => {
  const database = emptyDatabase(t)
  const secret = newSecret('live')
  for (const [id, shown] of [
    ['key_0000000000000000', 'key_0000000000000000'],
    [secret, '[key]']
  ] as const) {
    const { code, stdout, stderr } = await runInProcess(['keys', 'revoke', id], database)
    t.same({ code, stdout, stderr }, { code: 1, stdout: '', stderr: `petstore: There is no key with the id '${shown}'.\n` })
  }
})

t.test('a secret is not repeated, whatever it was typed for', async (t) => {
  const database = emptyDatabase(t)
  const secret = newSecret('live')
  const half = secret.slice(0, 30)
  for (const args of [
    [secret],
    ['keys', secret],
    ['keys', 'create', secret],
    ['keys', 'create', '--plan', secret],
    ['keys', 'create', '--name', secret],
    ['keys', 'create', '--scopes', secret],
    ['keys', 'create', `--expires=${secret}`],
    ['keys', 'create', `--${secret}`],
    ['keys', 'rotate', 'key_1', '--overlap', secret],
    ['keys', 'expire', 'key_1', secret],
    ['keys', 'show', secret, secret],
    ['keys', 'plan', half, 'pro'],
    ['orders', 'complete', secret],
    ['seed', '--pets', secret],
    ['mock', secret],
    ['serve', secret],
    ['migrate-data', '--from', `sqlite:/${secret}`, '--to', `postgres://u:${secret}@h/d`]
  ]) {
    const { code, stdout, stderr } = await runInProcess(args, database)
    t.ok([1, 2, 78].includes(code!), `${args.join(' ')}: ${code}`)
    t.equal(stdout, '')
    t.ok(stderr.length > 20)
    t.notMatch(stderr, half.slice(9), args.join(' '))
  }
  const { code, stderr } = await runInProcess(['keys', 'list'], { DATABASE_URL: `sqlite:/missing/${secret}/a.db` })
  t.match({ code, stderr }, { code: 78, stderr: '/missing/[key]' })
  t.match((await runInProcess(['keys', 'list'], { DATABASE_URL: `sqlite:/${secret}/a.db` })).code, 78)
})

t.test('keys list breaks no word on a terminal that is too narrow for its table', async (t) => {
  const database = emptyDatabase(t)
  for (const name of ['Mobile app', 'Shop']) {
    await runInProcess(['keys', 'create', '--name', name, '--plan', 'enterprise', '--per-minute', '1000000',
      '--per-day', '1000000', '--scopes', 'pets:read,pets:write,store:read,store:write'], database)
  }
  const wide = (await runInProcess(['keys', 'list'], database)).stdout
  t.ok(wide.split('\n')[1]!.length > 80, 'one line for each key where it is no terminal')
  t.equal((await runInProcess(['keys', 'list'], database, { columns: 200 })).stdout, wide)
  const narrow = (await runInProcess(['keys', 'list'], database, { columns: 80 })).stdout
  for (const line of narrow.split('\n')) t.ok(line.length <= 80, line)
  t.match(narrow, /^id {10,}key_\w{16}\nname +Mobile app\nplan +enterprise: [^]*\n\nid +key_\w{16}\nname +Shop\n/)
})

t.test('--help of every command explains it with exit code 0, and shows examples', async (t) => {
  const wanted: [args: string[], shows: RegExp][] = [
    [['--help'], /Usage: petstore[^]*serve[^]*keys[^]*orders[^]*seed/],
    [['help'], /Usage: petstore/],
    [['help', 'keys'], /Usage: petstore keys/],
    [['serve', '--help'], /Example:\n {2}PORT=8080 .*petstore serve/],
    [['keys', '--help'], /create[^]*list[^]*revoke/],
    [['keys', 'create', '--help'], /Examples:\n {2}petstore keys create[^]*--plan enterprise --per-minute/],
    [['keys', 'list', '--help'], /--json/],
    [['keys', 'revoke', '--help'], /<id>[^]*key_/],
    [['orders', '--help'], /list[^]*complete/],
    [['orders', 'complete', '--help'], /<id>[^]*Example:\n {2}petstore orders complete 42/],
    [['seed', '--help'], /Example:\n {2}petstore seed --pets 200/]
  ]
  for (const [args, shows] of wanted) {
    const { code, stdout, stderr } = await runInProcess(args)
    t.same({ code, stderr }, { code: 0, stderr: '' }, args.join(' '))
    t.match(stdout, shows, args.join(' '))
  }
})
