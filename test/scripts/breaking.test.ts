import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runScript, type Ended } from '../../scripts/cluster/program.js'
import { declarationOf, declaredIn } from '../../scripts/compatibility/changelog.js'
import { removedExports } from '../../scripts/compatibility/exports.js'
import { readContract } from '../../scripts/service/in-process.js'
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

t.test('an export that goes from the package breaks clients, but not one that a change tells of already', async (t) => {
  const genre = { type: 'string', enum: ['novel', 'poem'] }
  const error = { description: 'No.', content: { 'application/json': { schema: { type: 'object' } } } }
  const document = (parts: object, responses: object, stability?: string) =>
    textOf({
      paths: { '/books': { get: { operationId: 'listBooks', responses, ...(stability && { 'x-stability': stability }) } } },
      components: { schemas: parts }
    })
  const done = listBooks.responses
  const failing = { ...done, 400: error }
  const folder = t.testdir({
    'released.yaml': document({ Genre: genre, Shelf: { type: 'string', enum: ['a'] } }, failing),
    'experimental.yaml': document({ Genre: genre }, failing, 'experimental'),
    'petstore.yaml': document({ Genre: { type: 'string' } }, done),
    'CHANGELOG.md': '## [Unreleased]\n'
  })
  const changesFrom = async (released: string): Promise<string[]> => {
    const { stdout } = await runScript(
      'breaking',
      ...['--released', join(folder, released), '--document', join(folder, 'petstore.yaml')],
      ...['--changelog', join(folder, 'CHANGELOG.md'), '--json']
    )
    return JSON.parse(stdout).breaking.map(({ change }: { change: string }) => change)
  }
  t.same(await changesFrom('released.yaml'), [
    'The schema Shelf is removed; generated types have its name.',
    'The package no longer exports ListBooksError.',
    'The package no longer exports genreValues.',
    'The package no longer exports shelfValues.'
  ])
  t.same(await changesFrom('experimental.yaml'), ['The package no longer exports genreValues.'])
})

t.test('what the package of this service exports is recorded, and guarded by name and entry', async (t) => {
  const recorded = readFileSync(new URL('../../openapi/released-exports.txt', import.meta.url), 'utf8').trim().split('\n')
  for (const line of ['. Pet', '. petStatusValues', './client createPetstore', './petstore.json']) {
    t.ok(recorded.includes(line), line)
  }
  const { document } = await readContract()
  const lines = [...recorded, '. newValues', './client createPetShop', './other', './other name']
  t.same(await removedExports(document, document, lines), [
    'The package no longer exports newValues.',
    'The package no longer exports createPetShop from ./client.',
    'The package no longer has ./other.',
    'The package no longer exports name from ./other.'
  ])
  const { code, stdout } = await runScript('breaking', '--exports')
  t.equal(code, 0)
  t.same(recorded.filter((line) => !stdout.split('\n').includes(line)), [])
})

t.test('what cannot be compared says so', async (t) => {
  const wanted: [title: string, document: string, args: string[], message: RegExp][] = [
    ['no OpenAPI', '{}', [], /^petstore\.yaml: The document is not an OpenAPI 3\.0, 3\.1 or 3\.2 document/],
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
