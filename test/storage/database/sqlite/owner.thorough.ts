import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runProgram, startProgram } from '../../../../scripts/cluster/program.js'

const databaseOf = (t: Test) => ({ DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` })

t.test(
  'a second server on the same file is refused with exit code 75 and the process id of the first, which goes on',
  async (t) => {
    const database = databaseOf(t)
    const first = await startProgram(t, database)
    const { code, stderr, stdout } = await runProgram(['serve'], { PORT: '0', ...database })
    t.same({ code, stdout }, { code: 75, stdout: '' })
    t.equal(
      stderr,
      `petstore: The database ${database.DATABASE_URL.slice(7)} is in use by another server (process ${first.child.pid}). Stop it first, or give this one a DATABASE_URL of its own.\n`
    )
    t.equal((await fetch(`${first.root}/readyz`)).status, 200)
  }
)

t.test('the file is free as soon as its owner has ended: stopped, or killed', async (t) => {
  const database = databaseOf(t)
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
    const server = await startProgram(t, database)
    await server.stop(signal)
  }
  const { root } = await startProgram(t, database)
  t.equal((await fetch(`${root}/readyz`)).status, 200)
})

t.test('the CLI works beside a running server, and neither fails the other', async (t) => {
  const database = databaseOf(t)
  const { root } = await startProgram(t, database)
  const made = await runProgram(
    ['keys', 'create', '--plan', 'enterprise', '--per-minute', '100000', '--per-day', '100000', '--json'],
    database
  )
  const authorization = `Bearer ${JSON.parse(made.stdout).key}`

  const end = new AbortController()
  const statuses = new Map<number, number>()
  const traffic = async () => {
    while (!end.signal.aborted) {
      const { status } = await fetch(`${root}/v1/pets`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"name":"Rex","categoryId":1}'
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: 8 }, traffic)
  const beside = [
    ['seed', '--pets', '600'],
    ['keys', 'create'],
    ['keys', 'list'],
    ['seed', '--pets', '600']
  ]
  for (const args of beside) t.match(await runProgram(args, database), { code: 0, stderr: '' }, args.join(' '))
  end.abort()
  await Promise.all(clients)
  t.same([...statuses.keys()], [201])

  const pets: number[] = []
  for (let address = `${root}/v1/pets?limit=100`; address;) {
    const response = await fetch(address, { headers: { authorization } })
    pets.push(...((await response.json()) as { id: number }[]).map(({ id }) => id))
    const next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    address = next === undefined ? '' : new URL(next, address).href
  }
  t.equal(new Set(pets).size, statuses.get(201)! + 1_200, 'the server sees what the CLI wrote, and all of its own')
})
