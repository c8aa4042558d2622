#!/usr/bin/env tsx
// Checks the packages that package-lock.json names: where they come from, under which licence, and how many they are.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../command/arguments.js'
import { Report } from '../command/report.js'
import {
  atRunTime,
  integrityFaults,
  LARGEST_AT_RUN_TIME,
  licenceFaults,
  MOST_AT_RUN_TIME,
  sizeOf,
  type Lock
} from './packages.js'

readOptions(
  `Usage: npm run packages

Checks what package-lock.json names: each package has a SHA-512 and comes from the registry of npm, its licence is one
of those that are allowed. At run time there are at most ${MOST_AT_RUN_TIME}, and they take at most ${LARGEST_AT_RUN_TIME} MB
of the disk. Ends with 'N passed, N failed'. A list of them in the form of CycloneDX is made by:

  npm sbom --sbom-format cyclonedx --omit dev`,
  {}
)

const report = new Report()
for (const folder of ['', 'tools/']) {
  const lock = JSON.parse(await readFile(new URL(`../../${folder}package-lock.json`, import.meta.url), 'utf8')) as Lock
  const count = Object.keys(lock.packages).length - 1
  for (const [name, faults] of [
    ['integrity', integrityFaults(lock)],
    ['licences', licenceFaults(lock)]
  ] as const) {
    report.add(`${folder}package-lock.json, ${name}`, faults.length === 0, `${count} packages`, faults)
  }
  if (folder !== '') continue
  const paths = atRunTime(lock)
  const size = paths.reduce((sum, path) => sum + sizeOf(fileURLToPath(new URL(`../../${path}`, import.meta.url))), 0)
  const holds = paths.length <= MOST_AT_RUN_TIME && size <= LARGEST_AT_RUN_TIME
  report.add('at run time', holds, `${paths.length} packages, ${size.toFixed(1)} MB`)
}
process.exitCode = report.end()
