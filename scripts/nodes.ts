#!/usr/bin/env tsx
// Runs the quick tests on Node.js 22 and 24. Ends with "N passed, N failed"; exit 1 when a version failed.
import { spawnSync } from 'node:child_process'
import { readOptionsAndFiles } from './command/arguments.js'

const VERSIONS = [22, 24]

const { files } = readOptionsAndFiles(
  `Usage: npm run test:nodes [-- FILE ...]

Runs the quick tests, or only these files, on Node.js ${VERSIONS.join(' and ')}. npm downloads each version once, from the package node.`,
  {}
)

const failed = VERSIONS.filter((version) => {
  console.log(`\n# Node.js ${version}`)
  const node = ['exec', '--yes', `--package=node@${version}`, '--', 'node']
  const { status } = spawnSync('npm', [...node, '--import=tsx', 'scripts/test.ts', ...files], { stdio: 'inherit' })
  return status !== 0
})
for (const version of failed) console.log(`FAIL Node.js ${version}`)
console.log(`${VERSIONS.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
