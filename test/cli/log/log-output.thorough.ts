import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { MAIN, nodeCommand, startProgram } from '../../../scripts/cluster/program.js'
import { until } from '../../support/until.js'

/** A server with its log on a given stdout; gives its address once it listens. */
async function serveWith (t: Test, stdout: StdioOptions, command: 'serve' | 'mock' = 'serve') {
  const child = spawn(...nodeCommand([MAIN, command]), {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'trace', DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` },
    stdio: ['ignore', ...[stdout].flat(), 'pipe'] as StdioOptions
  })
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let said = ''
  const root = await new Promise<string>((resolve) => {
    ;(child.stderr as Readable).on('data', (chunk) => {
      said += chunk
      const found = /on (http:\/\/\S+?)\/v1/.exec(said)
      if (found) resolve(found[1]!)
    })
  })
  return { child, root, ended }
}

async function answers (root: string, count: number): Promise<number> {
  let ok = 0
  for (let i = 0; i < count; i++) {
    const response = await fetch(`${root}/healthz`, { signal: AbortSignal.timeout(10_000) })
    await response.arrayBuffer()
    if (response.ok) ok++
  }
  return ok
}

/** Has more lines written than a pipe holds, and gives how many of its requests were answered. */
async function fillPipe (root: string): Promise<number> {
  const counts = await Promise.all(Array.from({ length: 10 }, () => answers(root, 300)))
  return counts.reduce((sum, count) => sum + count)
}

t.test('a log that cannot be written neither stops the service nor keeps it from stopping', async (t) => {
  const { child, root, ended } = await serveWith(t, openSync('/dev/full', 'w') as never)
  t.equal(await answers(root, 20), 20)
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

t.test('nor does a reader of the log that stalls', async (t) => {
  const { child, root, ended } = await serveWith(t, 'pipe')
  t.equal(await fillPipe(root), 3_000)
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

t.test('nor one that ends', async (t) => {
  const { child, root, ended } = await serveWith(t, 'pipe')
  child.stdout!.destroy()
  t.equal(await answers(root, 50), 50)
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

for (const command of ['serve', 'mock'] as const) {
  t.test(`${command}: a reader of the log that stalls until the stop gets every line whole later`, async (t) => {
    const { child, root, ended } = await serveWith(t, 'pipe', command)
    await fillPipe(root)
    child.kill('SIGTERM')
    await sleep(500)
    const read = text(child.stdout!)
    t.same(await ended, [0, null])
    const lines = (await read).trimEnd().split('\n').map((line) => JSON.parse(line))
    t.equal(lines.filter(({ msg }) => msg === 'answered').length, 3_000)
    if (command === 'serve') t.equal(lines.at(-1).msg, 'stopped')
  })
}

t.test('a second signal does not wait for that reader', async (t) => {
  const { child, root, ended } = await serveWith(t, 'pipe')
  await fillPipe(root)
  child.kill('SIGTERM')
  await until(() => fetch(root).then(() => false, () => true))
  child.kill('SIGTERM')
  t.same(await ended, [1, null])
})

t.test('LOG_LEVEL=silent writes nothing to stdout', async (t) => {
  const server = await startProgram(t, {
    DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}`,
    LOG_LEVEL: 'silent'
  })
  await fetch(`${server.root}/v1/pets`)
  t.equal(await server.stop(), 0)
  t.equal(server.stdout(), '')
})
