#!/usr/bin/env tsx
// Sends requests made from the document, valid and with one fault each, and valid requests with changed bytes to the
// compiled program. Prints how they were answered, the seed that sends them again, and 'N passed, N failed'.
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basePathOf } from '../src/contract/document/servers.js'
import { readDocument } from '../src/contract/document/document.js'
import { fuzzBytes, fuzzOperations } from './fuzz/fuzz.js'
import { runProgram, startProgram } from './cluster/program.js'
import { readOptions } from './arguments.js'

const options = readOptions(
  'Usage: npm run fuzz [-- --runs N] [--seed N]\n\nSends requests made from the document and requests with changed bytes to the compiled program.\n  --runs  how many of each (20,000)\n  --seed  the seed of an earlier run, to send the same again',
  { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } }
)
const [runs, seed] = [options.runs, options.seed ?? String(Date.now() % 2 ** 31)].map(Number) as [number, number]
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error('--runs must be a whole number of at least 1, --seed a whole number.')
  process.exit(2)
}

const document = await readDocument(await readFile(new URL('../openapi/petstore.yaml', import.meta.url), 'utf8'))
const folder = await mkdtemp(join(tmpdir(), 'petstore-fuzz-'))
const environment = {
  DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`,
  LOG_LEVEL: 'error',
  TRUST_PROXY: '127.0.0.1'
}
const ends: (() => unknown)[] = []
let passed = 0
let failed = 0

function report (title: string, fault: string | undefined, lines: string[] = []): void {
  fault ? failed++ : passed++
  console.log(`${fault ? 'FAIL' : 'ok  '} ${title}`)
  for (const line of lines) console.log(`     ${line}`)
  if (fault) console.log(fault)
}

try {
  const server = await startProgram(
    {
      teardown: (end: () => unknown) => {
        ends.push(end)
      }
    } as Parameters<typeof startProgram>[0],
    environment
  )
  const { stdout } = await runProgram(
    ['keys', 'create', '--json', '--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'],
    environment
  )
  const { key } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { key: string }
  const target = { port: Number(new URL(server.root).port), basePath: basePathOf(document), key }
  for (const [title, fuzz] of [
    ['requests made from the document', fuzzOperations],
    ['requests with changed bytes', fuzzBytes]
  ] as const) {
    const start = performance.now()
    const { lines, fault } = await fuzz(document, target, { runs, seed })
    report(`${runs} ${title}, seed ${seed}, ${Math.round((performance.now() - start) / 1000)} s`, fault, lines)
  }
  report('the log has no errors', server.stdout().slice(0, 2_000) || undefined)
  const code = await server.stop()
  report('the server stops as asked', code === 0 ? undefined : `exit code ${code}`)
} finally {
  for (const end of ends) await end()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
