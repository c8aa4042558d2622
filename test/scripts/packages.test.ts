import t from 'tap'
import { runScript } from '../../scripts/cluster/program.js'
import { integrityFaults, licenceFaults } from '../../scripts/packages/packages.js'

t.test('the packages of this project are as they must be', async (t) => {
  t.match(await runScript('packages/main'), { code: 0, stdout: /^5 passed, 0 failed$/m })
})

t.test('a package from elsewhere, or without a SHA-512, is named', async (t) => {
  const integrity = 'sha512-abc'
  const packages = {
    '': {},
    'node_modules/good': { integrity, resolved: 'https://registry.npmjs.org/good/-/good-1.0.0.tgz' },
    'node_modules/unnamed': { integrity },
    'node_modules/old': { integrity: 'sha1-abc' },
    'node_modules/bare': {},
    'node_modules/git': { integrity, resolved: 'git+ssh://git@example.com/a/git.git#1' }
  }
  t.same(integrityFaults({ packages }), [
    'node_modules/old has no SHA-512.',
    'node_modules/bare has no SHA-512.',
    'node_modules/git comes from git+ssh://git@example.com/a/git.git#1.'
  ])
})

t.test('a package with a licence that asks for more is named; a choice of licences is ours', async (t) => {
  const packages = {
    '': {},
    'node_modules/mit': { license: 'MIT' },
    'node_modules/choice': { license: '(GPL-3.0 OR MIT)' },
    'node_modules/gpl': { license: 'GPL-3.0' },
    'node_modules/both': { license: 'MIT AND GPL-3.0' },
    'node_modules/developed': { license: 'CC-BY-4.0', dev: true },
    'node_modules/deployed': { license: 'CC-BY-4.0' },
    'node_modules/nothing': {}
  }
  t.same(licenceFaults({ packages }), [
    'node_modules/gpl has the licence GPL-3.0.',
    'node_modules/both has the licence MIT AND GPL-3.0.',
    'node_modules/deployed has the licence CC-BY-4.0.',
    'node_modules/nothing has the licence none.'
  ])
})
