#!/usr/bin/env tsx
// Checks the packages that package-lock.json names: where they come from, under which licence, and how many they are.
import { readFile } from 'node:fs/promises'
import { readOptions } from '../command/arguments.js'
import { Report } from '../command/report.js'
import { integrityFaults, licenceFaults, MOST_AT_RUN_TIME, type Lock } from './packages.js'

readOptions(
  `Usage: npm run packages

Checks what package-lock.json names: each package has a SHA-512 and comes from the registry of npm, its licence is one
of those that are allowed, and at run time there are at most ${MOST_AT_RUN_TIME}. Ends with
'N passed, N failed'. A list of them in the form of CycloneDX is made by:

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
  const atRunTime = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev).length
  report.add('at run time', atRunTime <= MOST_AT_RUN_TIME, `${atRunTime} packages`)
}
process.exitCode = report.end()
