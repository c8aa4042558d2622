#!/usr/bin/env tsx
// Everything that must hold before a change lands. Ends with 'N passed, N failed'; exit 1 when one failed.
import { spawnSync } from 'node:child_process'
import { readOptions } from './command/arguments.js'

const STEPS = [
  'types',
  'lint',
  'lint:openapi',
  'packages',
  'generate -- --check',
  'dashboard -- --check',
  'breaking',
  'flows',
  'test',
  'test:thorough'
]

readOptions(
  `Usage: npm run check\n\nRuns, one after the other: ${STEPS.map((step) => `npm run ${step}`).join(', ')}`,
  {}
)

const failed = STEPS.filter((step) => {
  console.log(`\n# npm run ${step}`)
  const start = performance.now()
  const { status } = spawnSync(`npm run -s ${step}`, { shell: true, stdio: 'inherit' })
  console.log(`# npm run ${step}: ${Math.round((performance.now() - start) / 1_000)} s`)
  return status !== 0
})
for (const step of failed) console.log(`FAIL npm run ${step}`)
console.log(`${STEPS.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
