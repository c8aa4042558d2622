#!/usr/bin/env tsx
// Runs the tests: `npm test` those that need nothing but Node, `npm run test:thorough` the others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { readOptionsAndFiles, refuseArguments } from './command/arguments.js'
import type { Lifetime } from './command/lifetime.js'
import { runToTheEnd } from './command/run.js'
import { ROOT, testFiles } from './test/files.js'
import { Progress } from './test/progress.js'
import { runFiles } from './test/run.js'

const { values, files: words } = readOptionsAndFiles(
  `Usage: npm test                   the tests that need nothing but Node
       npm run test:thorough      those that need PostgreSQL, Redis, nginx, a browser, the disk or minutes
       npm test -- FILE ...       only these files, of both kinds, with what they measure; a part of a path is enough

With CI=true a test that is skipped is a failure.`,
  { thorough: { type: 'boolean' } }
)

const files = testFiles(words).filter(({ thorough }) => words.length > 0 || thorough === (values.thorough ?? false))
if (files.length === 0) refuseArguments(`No file of tests has ${words.join(' or ')} in its path.`)

await runToTheEnd(async (lifetime) => {
  // A run within a test of another leaves alone what that one has built.
  const ready = process.env.TESTS_BUILT === '1' ? Promise.resolve() : build()
  ready.catch(() => {})
  const postgres = values.thorough && files.length > 1 ? await startPostgresFor(lifetime) : {}
  const environment = { TESTS_BUILT: '1', ...postgres }
  const progress = new Progress(files, { comments: words.length > 0 })
  const tell: Progress['add'] = (file, result) => progress.add(file, result)
  const options = { environment, ready, tell }
  await runFiles(files.filter(({ alone }) => !alone), { lanes: availableParallelism(), ...options })
  await runFiles(files.filter(({ alone }) => alone), { lanes: 1, ...options })
  progress.end()
  const { failed, skipped } = progress.counts
  return failed > 0 || (process.env.CI === 'true' && skipped > 0) ? 1 : 0
})

/** Builds the program that some tests start. */
async function build (): Promise<void> {
  const child = spawn('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The program cannot be built.')
}

/** Loaded for the thorough tests only, so that a quick one starts at once. */
async function startPostgresFor (lifetime: Lifetime): Promise<Record<string, string>> {
  const { startSharedPostgres } = await import('./test/shared-postgres.js')
  return await startSharedPostgres(lifetime)
}
