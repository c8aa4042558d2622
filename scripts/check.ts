#!/usr/bin/env tsx
// Everything that must hold before a change lands. Ends with 'N passed, N failed'; exit 1 when one failed.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { readOptions } from './command/arguments.js'

/** What takes one core or less; what each prints is shown at its end. */
const LIGHT = [
  'types',
  'lint',
  'lint:openapi',
  'packages',
  'generate -- --check',
  'dashboard -- --check',
  'breaking',
  'flows'
]
/** What takes all cores, and shows how far it is. */
const HEAVY = ['test', 'test:thorough', 'fuzz']
const STEPS = [...LIGHT, ...HEAVY]

readOptions(`Usage: npm run check\n\nRuns: ${STEPS.map((step) => `npm run ${step}`).join(', ')}`, {})

const failed: string[] = []

/** Runs a step, and shows what it prints as it comes or else at its end. */
async function run (step: string, isShown: boolean): Promise<void> {
  const start = performance.now()
  if (isShown) console.log(`\n# npm run ${step}`)
  const output = isShown ? 'inherit' : 'pipe'
  const child = spawn(`npm run -s ${step} 2>&1`, { shell: true, stdio: ['inherit', output, 'inherit'] })
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const printed = child.stdout ? await text(child.stdout) : ''
  if ((await exited) !== 0) failed.push(step)
  const time = Math.round((performance.now() - start) / 1_000)
  console.log(`${isShown ? '' : '\n'}${printed}# npm run ${step}: ${time} s`)
}

// One after the other, as the first that needs the packages of tools/ installs them.
for (const step of LIGHT) await run(step, false)
for (const step of HEAVY) await run(step, true)

for (const step of failed) console.log(`FAIL npm run ${step}`)
console.log(`${STEPS.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
