import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { petStatusValues } from 'petstore/types'
import t from 'tap'
import { nodeCommand } from '../../scripts/cluster/program.js'
import { toolPath } from '../../scripts/tools/folder.js'
import { readTree } from '../../src/contract/document/text.js'
import { document } from '../support/service.js'
import { packTypes } from '../support/tarball.js'

const require = createRequire(import.meta.url)
const { tarball, files } = await packTypes(t)

t.test('the package is named after the document, depends on no more than its client does and holds what callers need', async (t) => {
  t.same(files.sort(), [
    'LICENSE',
    'README.md',
    'client.d.mts',
    'client.d.ts',
    'client.js',
    'client.mjs',
    'client/deprecation.d.mts',
    'client/deprecation.d.ts',
    'client/faults.d.mts',
    'client/faults.d.ts',
    'client/items.d.mts',
    'client/items.d.ts',
    'client/limits.d.mts',
    'client/limits.d.ts',
    'client/links.d.mts',
    'client/links.d.ts',
    'client/middleware.d.mts',
    'client/middleware.d.ts',
    'client/refusals.d.mts',
    'client/refusals.d.ts',
    'client/results.d.mts',
    'client/results.d.ts',
    'client/retry.d.mts',
    'client/retry.d.ts',
    'index.d.mts',
    'index.d.ts',
    'index.js',
    'index.mjs',
    'package.json',
    'petstore.d.ts',
    'petstore.json'
  ])
  const manifest = require('../../generated/package.json')
  t.equal(manifest.name, 'petstore-api-types')
  t.equal(manifest.version, document.info.version)
  t.same(Object.keys(manifest.peerDependencies), ['openapi-fetch'])
  t.same(manifest.peerDependenciesMeta, { 'openapi-fetch': { optional: true } })
  for (const kind of ['dependencies', 'optionalDependencies', 'scripts']) {
    t.notOk(kind in manifest, kind)
  }
})

t.test('a checker of type packages finds no problem', async (t) => {
  const attw = toolPath('@arethetypeswrong/cli/dist/index.js')
  const { stdout } = await promisify(execFile)(
    ...nodeCommand([attw, tarball, '--format', 'json', '--no-definitely-typed'])
  )
  const { analysis, problems } = JSON.parse(stdout)
  t.same(problems, {})
  t.same(Object.keys(analysis.entrypoints), ['.', './client', './petstore.json', './package.json'])
})

t.test('the package of the service exposes it as ./types, to both module systems', async (t) => {
  t.same(petStatusValues, ['available', 'pending', 'sold'])
  t.same(require('petstore/types').petStatusValues, petStatusValues)
  const { createPetstore } = await import('petstore/types/client')
  t.same([createPetstore, require('petstore/types/client').createPetstore].map((make) => typeof make), ['function', 'function'])
  t.same(readTree(readFileSync(require.resolve('petstore/types/petstore.json'), 'utf8')), document)
})
