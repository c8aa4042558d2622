#!/usr/bin/env tsx
// Everything that must hold before a change lands. Ends with 'N passed, N failed'; exit 1 when one failed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { readOptions } from './command/arguments.js'

/** Steps that use one core each, in two chains side by side; those that need the tools are in the same chain. */
const STATIC = [
  ['types', 'lint', 'generate -- --check'],
  ['lint:openapi', 'packages', 'dashboard -- --check', 'breaking', 'flows']
]
/** Steps that use all cores. */
const TESTS = ['test', 'test:thorough']
const STEPS = [...STATIC.flat(), ...TESTS]

readOptions(`Usage: npm run check\n\nRuns ${STEPS.map((step) => `npm run ${step}`).join(', ')}`, {})

const failed: string[] = []
await Promise.all(STATIC.map((steps) => runAll(steps, 'pipe')))
await runAll(TESTS, 'inherit')
for (const step of failed) console.log(`FAIL npm run ${step}`)
console.log(`${STEPS.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Runs steps one after the other. Piped output is printed when its step ends, so that no two mix. */
async function runAll (steps: string[], output: 'pipe' | 'inherit'): Promise<void> {
  for (const step of steps) {
    if (output === 'inherit') console.log(`\n# npm run ${step}`)
    const start = performance.now()
    const child = spawn(`npm run -s ${step} 2>&1`, { shell: true, stdio: ['ignore', output, output] })
    const [printed, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
    if (output === 'pipe') console.log(`\n# npm run ${step}\n${printed}`.trimEnd())
    console.log(`# npm run ${step}: ${Math.round((performance.now() - start) / 1_000)} s`)
    if (code !== 0) failed.push(step)
  }
}
