#!/usr/bin/env tsx
// Sends requests made from the document, valid and with one fault each, and valid requests with changed bytes to the
// compiled program, and judges every answer.
import { join } from 'node:path'
import { basePathOf } from '../src/contract/document/servers.js'
import { runForJson, startProgram } from './cluster/program.js'
import { readOptions, refuseArguments } from './command/arguments.js'
import { temporaryFolder } from './command/lifetime.js'
import { showProgress } from './command/progress.js'
import { Report } from './command/report.js'
import { runToTheEnd } from './command/run.js'
import { fuzzBytes, fuzzOperations } from './fuzz/fuzz.js'
import { readContract } from './service/in-process.js'

const options = readOptions(
  `Usage: npm run fuzz [-- --runs N] [--seed N]

Sends requests made from the document and requests with changed bytes to the compiled program. Prints how they were
answered, the seed that sends them again, and 'N passed, N failed'.

  --runs N  how many of each (20,000)
  --seed N  the seed of an earlier run, to send the same again`,
  { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } }
)
const runs = Number(options.runs)
const seed = Number(options.seed ?? Date.now() % 2 ** 31)
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  refuseArguments('--runs must be a whole number of at least 1, --seed a whole number.')
}

await runToTheEnd(async (lifetime) => {
  const report = new Report()
  const { document } = await readContract()
  const folder = await temporaryFolder(lifetime)
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`,
    LOG_LEVEL: 'error',
    TRUST_PROXY: '127.0.0.1'
  }
  const server = await startProgram(lifetime, environment)
  const unlimited = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000']
  const { key } = await runForJson(['keys', 'create', ...unlimited], environment)
  const target = { port: Number(new URL(server.root).port), basePath: basePathOf(document), key }
  for (const [title, fuzz] of [
    ['requests made from the document', fuzzOperations],
    ['requests with changed bytes', fuzzBytes]
  ] as const) {
    const start = performance.now()
    const progress = (sent: number) => showProgress(`${sent} of ${runs} ${title} …`)
    const { lines, fault } = await fuzz(document, target, { runs, seed, progress })
    const seconds = Math.round((performance.now() - start) / 1_000)
    const details = fault === undefined ? lines : [...lines, fault]
    report.add(`${runs} ${title}`, fault === undefined, `seed ${seed}, ${seconds} s`, details)
  }
  const log = server.stdout().slice(0, 2_000)
  report.add('the log of errors', log === '', log || 'empty')
  const code = await server.stop()
  report.add('the server stops as asked', code === 0, `exit code ${code}`)
  return report.end()
})
