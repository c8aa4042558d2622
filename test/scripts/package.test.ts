import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import t from 'tap'
import { petStatusValues } from 'petstore/types'
import { nodeCommand } from '../../scripts/cluster/program.js'
import { document } from '../support/service.js'
import { packTypes } from '../support/tarball.js'

const require = createRequire(import.meta.url)
const { tarball, files } = await packTypes(t)

t.test('the package is named after the document, depends on nothing and holds what callers need', async (t) => {
  t.same(files.sort(), [
    'LICENSE',
    'README.md',
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
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) {
    t.notOk(kind in manifest, kind)
  }
})

t.test('a checker of type packages finds no problem', async (t) => {
  const attw = require.resolve('@arethetypeswrong/cli/package.json').replace('package.json', 'dist/index.js')
  const { stdout } = await promisify(execFile)(
    ...nodeCommand([attw, tarball, '--format', 'json', '--no-definitely-typed'])
  )
  const { analysis, problems } = JSON.parse(stdout)
  t.same(problems, {})
  t.same(Object.keys(analysis.entrypoints), ['.', './petstore.json', './package.json'])
})

t.test('the package of the service exposes it as ./types, to both module systems', async (t) => {
  t.same(petStatusValues, ['available', 'pending', 'sold'])
  t.same(require('petstore/types').petStatusValues, petStatusValues)
  t.same(require('petstore/types/petstore.json'), document)
})
