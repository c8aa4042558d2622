import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runScript, type Ended } from '../../scripts/cluster/program.js'
import { declarationOf, declaredIn } from '../../scripts/compatibility/changelog.js'
import { textOf } from '../contract/books.js'

const listBooks = { operationId: 'listBooks', responses: { 204: { description: 'None.' } } }
const RELEASED = textOf({ paths: { '/books': { get: listBooks, delete: { ...listBooks, operationId: 'burnBooks' } } } })
const NOW = textOf({
  paths: {
    '/books': {
      get: { ...listBooks, parameters: [{ name: 'shelf', in: 'query', required: true, schema: { type: 'string' } }] }
    }
  }
})
const GONE = 'burnBooks: DELETE /books is removed.'
const ASKED = "listBooks: Query parameter 'shelf' is now required."

/** Runs the program on two documents and the [Unreleased] section of a changelog. */
async function run (t: Test, document: string, unreleased: string[], ...args: string[]): Promise<Ended> {
  const folder = t.testdir({
    'released.yaml': RELEASED,
    'petstore.yaml': document,
    'CHANGELOG.md': `# Changelog\n\n## [Unreleased]\n\n${unreleased.join('\n')}\n`
  })
  const files = Object.entries({
    released: 'released.yaml',
    document: 'petstore.yaml',
    changelog: 'CHANGELOG.md'
  }).flatMap(([option, name]) => [`--${option}`, join(folder, name)])
  const { code, stdout, stderr } = await runScript('breaking', ...files, ...args)
  return { code, stdout: stdout.replaceAll(`${folder}/`, ''), stderr: stderr.replaceAll(`${folder}/`, '') }
}

t.test('what breaks nobody passes', async (t) => {
  t.same(await run(t, RELEASED, []), {
    code: 0,
    stdout: 'Nothing breaks clients of the last released document.\n',
    stderr: ''
  })
})

t.test('what breaks clients fails, and the line that declares it is printed', async (t) => {
  const { code, stdout } = await run(t, NOW, [])
  t.equal(code, 1)
  t.equal(
    stdout,
    `Breaks clients, and is not declared in CHANGELOG.md under [Unreleased] by this line:\n- **Breaking:** ${ASKED}\n- **Breaking:** ${GONE}\n`
  )
})

t.test('what is declared passes', async (t) => {
  const { code, stdout } = await run(t, NOW, [declarationOf(ASKED), declarationOf(GONE)])
  t.equal(code, 0)
  t.equal(stdout, `Breaks clients, as declared:\n- **Breaking:** ${ASKED}\n- **Breaking:** ${GONE}\n`)
})

t.test('what is declared in part, or untruly, fails, and --json tells which', async (t) => {
  const { code, stdout } = await run(
    t,
    NOW,
    [declarationOf(GONE), declarationOf('addBook: POST /books is removed.')],
    '--json'
  )
  t.equal(code, 1)
  t.same(JSON.parse(stdout), {
    breaking: [
      { change: ASKED, declared: false },
      { change: GONE, declared: true }
    ],
    untrue: ['addBook: POST /books is removed.']
  })
})

t.test('what cannot be compared says so', async (t) => {
  const wanted: [title: string, document: string, args: string[], message: RegExp][] = [
    ['no OpenAPI', '{}', [], /^petstore\.yaml: The document is not an OpenAPI 3\.0 or 3\.1 document/],
    ['no such file', NOW, ['--changelog', 'nowhere.md'], /nowhere\.md/],
    ['no such option', NOW, ['--everything'], /--everything/]
  ]
  for (const [title, document, args, message] of wanted) {
    const { code, stdout, stderr } = await run(t, document, [], ...args)
    t.same([code, stdout], [2, ''], title)
    t.match(stderr, message, title)
  }
  t.match(await run(t, NOW, [], '--help'), { code: 0, stdout: /^Usage: npm run breaking/ })
})

t.test('a declaration is an item of the section [Unreleased]', async (t) => {
  const changelog = `# Changelog

- **Breaking:** not in a section.

## [Unreleased]

### Changed

- Something else. **Breaking:** not at its beginning.
- **Breaking:** listBooks: Query parameter 'shelf'
  is now required. There are too many books
  to list.
* **Breaking:** ${GONE}

Words.

### Removed

- **Breaking:** another.

## [1.0.0] - 2026-03-04

- **Breaking:** in a release.
`
  t.same(declaredIn(changelog), [`${ASKED} There are too many books to list.`, GONE, 'another.'])
  t.same(declaredIn('# Changelog\n'), [])
})
