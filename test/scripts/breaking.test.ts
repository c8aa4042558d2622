import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runScript, type Ended } from '../../scripts/cluster/program.js'
import { declarationOf, declaredIn } from '../../scripts/compatibility/changelog.js'
import { compare, report, type Compared } from '../../scripts/compatibility/compare.js'
import { packageExportsOf, removedExports } from '../../scripts/compatibility/exports.js'
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

/** A folder with two documents and a changelog that has lines under [Unreleased]. */
function filesFor (t: Test, document: string, unreleased: string[], released = RELEASED): Required<Compared> {
  const folder = t.testdir({
    'released.yaml': released,
    'petstore.yaml': document,
    'CHANGELOG.md': `# Changelog\n\n## [Unreleased]\n\n${unreleased.join('\n')}\n`
  })
  return {
    released: join(folder, 'released.yaml'),
    document: join(folder, 'petstore.yaml'),
    changelog: join(folder, 'CHANGELOG.md')
  }
}

/** Runs the program on such files. */
async function run (files: Required<Compared>, ...args: string[]): Promise<Ended> {
  return await runScript('breaking', ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]), ...args)
}

t.test('what breaks nobody passes', async (t) => {
  const { code, stdout } = await run(filesFor(t, RELEASED, []))
  t.same([code, stdout], [0, 'Nothing breaks clients of the last released document.\n'])
})

t.test('what breaks clients is printed as the line that declares it', async (t) => {
  const comparison = await compare(filesFor(t, NOW, []))
  t.same(comparison.untrue, [])
  t.equal(
    report(comparison, 'CHANGELOG.md'),
    `Breaks clients, and is not declared in CHANGELOG.md under [Unreleased] by this line:\n- **Breaking:** ${ASKED}\n- **Breaking:** ${GONE}`
  )
})

t.test('what is declared passes', async (t) => {
  const comparison = await compare(filesFor(t, NOW, [declarationOf(ASKED), declarationOf(GONE)]))
  t.equal(
    report(comparison, 'CHANGELOG.md'),
    `Breaks clients, as declared:\n- **Breaking:** ${ASKED}\n- **Breaking:** ${GONE}`
  )
})

t.test('what is declared in part, or untruly, fails, and --json tells which', async (t) => {
  const files = filesFor(t, NOW, [declarationOf(GONE), declarationOf('addBook: POST /books is removed.')])
  const { code, stdout } = await run(files, '--json')
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
  const now = document({ Genre: { type: 'string' } }, done)
  const changesFrom = async (released: string): Promise<string[]> =>
    (await compare(filesFor(t, now, [], released))).breaking.map(({ change }) => change)
  t.same(await changesFrom(document({ Genre: genre, Shelf: { type: 'string', enum: ['a'] } }, failing)), [
    'The schema Shelf is removed; generated types have its name.',
    'The package no longer exports ListBooksError.',
    'The package no longer exports genreValues.',
    'The package no longer exports shelfValues.'
  ])
  t.same(await changesFrom(document({ Genre: genre }, failing, 'experimental')), [
    'The package no longer exports genreValues.'
  ])
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
  const exported = new Set(await packageExportsOf(document))
  t.same(recorded.filter((line) => !exported.has(line)), [])
})

t.test('what cannot be compared says so', async (t) => {
  const files = filesFor(t, '{}', [])
  await t.rejects(compare(files), {
    message: /petstore\.yaml: The document is not an OpenAPI 3\.0, 3\.1 or 3\.2 document/
  })
  const { code, stdout, stderr } = await run({ ...files, document: files.released, changelog: 'nowhere.md' })
  t.same([code, stdout], [2, ''])
  t.match(stderr, /nowhere\.md/)
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
