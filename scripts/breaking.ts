#!/usr/bin/env tsx
// Says what breaks clients of the last released document and package, and whether the changelog declares it.
import { readOptions } from './command/arguments.js'
import { compare, readDocument, report } from './compatibility/compare.js'
import { packageExportsOf } from './compatibility/exports.js'

const USAGE = `Usage: npm run breaking [-- options]

Compares openapi/petstore.yaml with the last released document, openapi/released.yaml, and what the package exports with
what openapi/released-exports.txt lists. A change that breaks clients must be declared in CHANGELOG.md, under
[Unreleased], by the line that this prints; whatever is declared there must be so.

  --released FILE   another released document; its package exports what is made of it now
  --document FILE   another document of today
  --changelog FILE  another changelog
  --exports         only lists what the package exports now, as a release records it
  --json            one JSON object: {"breaking": [{"change", "declared"}], "untrue": [declared, but not so]}
  -h, --help        this text

Exit codes: 0 nothing breaks that is not declared, 1 something does or a declaration is untrue, 2 the comparison could
not be made.`

const options = readOptions(USAGE, {
  released: { type: 'string' },
  document: { type: 'string', default: 'openapi/petstore.yaml' },
  changelog: { type: 'string', default: 'CHANGELOG.md' },
  exports: { type: 'boolean' },
  json: { type: 'boolean' }
})

try {
  process.exitCode = await run()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

async function run (): Promise<number> {
  if (options.exports) {
    console.log((await packageExportsOf(await readDocument(options.document))).join('\n'))
    return 0
  }
  const comparison = await compare(options)
  if (options.json) console.log(JSON.stringify(comparison))
  else console.log(report(comparison, options.changelog))
  return comparison.untrue.length > 0 || comparison.breaking.some(({ declared }) => !declared) ? 1 : 0
}
