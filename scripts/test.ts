#!/usr/bin/env tsx
// Runs the tests: `npm test` those that need nothing but Node, `npm run test:thorough` the others.
import { availableParallelism } from 'node:os'
import { readOptionsAndFiles, refuseArguments } from './command/arguments.js'
import type { Lifetime } from './command/lifetime.js'
import { runToTheEnd } from './command/run.js'
import { testFiles } from './test/files.js'
import { Progress } from './test/progress.js'
import { runFiles } from './test/run.js'

const { values, files: words } = readOptionsAndFiles(
  `Usage: npm test                   the tests that need nothing but Node
       npm run test:thorough      those that need PostgreSQL, Redis, nginx, a browser, the disk or minutes
       npm test -- FILE ...       only these files, of both kinds; a part of a path is enough

With CI=true a test that is skipped is a failure.`,
  { thorough: { type: 'boolean' } }
)

const files = testFiles(words).filter(({ thorough }) => words.length > 0 || thorough === (values.thorough ?? false))
if (files.length === 0) refuseArguments(`No file of tests has ${words.join(' or ')} in its path.`)

await runToTheEnd(async (lifetime) => {
  const environment = values.thorough && files.length > 1 ? await startPostgresFor(lifetime) : {}
  const progress = new Progress(files)
  const tell: Progress['add'] = (file, result) => progress.add(file, result)
  await runFiles(files.filter(({ alone }) => !alone), availableParallelism(), environment, tell)
  await runFiles(files.filter(({ alone }) => alone), 1, environment, tell)
  progress.end()
  const { failed, skipped } = progress.counts
  return failed > 0 || (process.env.CI === 'true' && skipped > 0) ? 1 : 0
})

/** Loaded for the thorough tests only, so that a quick one starts at once. */
async function startPostgresFor (lifetime: Lifetime): Promise<Record<string, string>> {
  const { startSharedPostgres } = await import('./test/shared-postgres.js')
  return await startSharedPostgres(lifetime)
}
