#!/usr/bin/env tsx
// Counts what the limits let through under load, over restarts and crashes, in real time against the compiled program.
// Prints a line of figures for each case and 'N passed, N failed'; takes about five minutes.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteWith } from './cluster/cluster.js'
import { hangUp, send, tally } from './cluster/load.js'
import { runProgram, startProgram } from './cluster/program.js'
import { readOptions } from './arguments.js'
import { Report } from './report.js'

readOptions(
  'Usage: npm run limits\n\nCounts what the limits let through under load, over restarts and crashes. Takes about five minutes. Needs npm run build.',
  {}
)

const MINUTE = 60_000
const folder = await mkdtemp(join(tmpdir(), 'petstore-limits-'))
const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
const ends: (() => unknown)[] = []
const lifetime = {
  teardown: (end: () => unknown) => {
    ends.push(end)
  }
} as Parameters<typeof startProgram>[0]
const report = new Report()

const start = () => startProgram(lifetime, environment)
const newKey = async (...args: string[]): Promise<string> =>
  JSON.parse((await runProgram(['keys', 'create', '--json', ...args], environment)).stdout.trim().split('\n').at(-1)!)
    .key

const call = (root: string, secret: string, headers: Record<string, string> = {}) =>
  send(`${root}/v1/pets?limit=1`, { key: secret, headers })

/** How often each status came back from so many calls over 64 connections. */
async function storm (root: string, secret: string, count: number): Promise<Record<number, number>> {
  return tally(await Promise.all(Array.from({ length: count }, () => call(root, secret))))
}

try {
  {
    const { root, stop } = await start()
    const secret = await newKey()
    await minuteWith(20_000)
    const first = await storm(root, secret, 2_000)
    report.add(
      '64 connections, 2,000 requests on Free in one window',
      first[200] === 60 && first[429] === 1_940,
      `${first[200]} x 200, ${first[429]} x 429`
    )

    const other = await newKey()
    await minuteWith(20_000)
    let ok = 0
    for (let window = 0; window < 3; window++) {
      // Fewer refusals than bring a ban, on both sides of the boundary.
      ok += (await storm(root, other, 66))[200] ?? 0
      if (window < 2) await sleep(MINUTE - (Date.now() % MINUTE) + 20)
    }
    report.add('over two boundaries', ok === 180, `${ok} x 200 in three windows`)
    await stop()
  }

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const limit = 200
    const block = limit * 0.05
    let server = await start()
    const secret = await newKey('--plan', 'enterprise', '--per-minute', String(limit), '--per-day', String(limit))
    let ok = 0
    for (let restart = 0; restart < 20; restart++) {
      ok += (await storm(server.root, secret, 7))[200] ?? 0
      await server.stop(signal)
      server = await start()
    }
    for (let status = 200; status === 200;) {
      status = (await call(server.root, secret)).status
      if (status === 200) ok++
    }
    await server.stop()
    const holds = signal === 'SIGTERM' ? ok === limit : ok <= limit && ok >= limit - 20 * block
    report.add(`20 restarts by ${signal} within a window`, holds, `${ok} of ${limit} let through (a block is ${block})`)
  }

  {
    const { root, child, stop } = await startProgram(lifetime, { ...environment, TRUST_PROXY: '127.0.0.1' })
    const secret = await newKey()
    await minuteWith(50_000)
    await call(root, secret)
    const memory = async () =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
    // What any load takes is taken before: the growth is that of 100,000 different callers.
    for (let batch = 0; batch < 20_000; batch += 500) {
      await Promise.all(Array.from({ length: 500 }, () => call(root, 'junk')))
    }
    const before = await memory()
    const junk = (index: number) => `pet_live_${String(index).padStart(38, 'x')}`
    const address = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
    for (let batch = 0; batch < 100_000; batch += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) =>
          call(root, junk(batch + index), { 'x-forwarded-for': address(batch + index) })
        )
      )
    }
    const growth = (await memory()) - before
    const day = /"day";r=(\d+)/.exec(String((await call(root, secret)).headers.ratelimit))?.[1]
    report.add(
      '100,000 junk keys and addresses between two calls',
      day === '998' && growth <= 50,
      `the key has ${day} left of 1,000 after 2 calls, memory grew by ${growth.toFixed(1)} MB`
    )
    await stop()
  }
} finally {
  for (const end of ends) await end()
  hangUp()
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = report.end()
