import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { openDocument, proofOf } from '../../src/cli/document.js'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'

const root = new URL('../..', import.meta.url)
const YAML = 'openapi: 3.1.0\ninfo: { title: Books, version: "1" }\npaths: {}\n'
const GENERATED = '{ "generated": true }\n'

/** A folder whose generated/ is of another text, as it is while the document is being edited, or of this one. */
function folderOf (t: Test, { yaml = YAML, json = GENERATED, proof = proofOf(YAML, GENERATED) }): URL {
  return pathToFileURL(
    `${t.testdir({ openapi: { 'petstore.yaml': yaml }, generated: { 'petstore.json': json, 'openapi.sha256': proof } })}/`
  )
}

t.test('the document as it was generated is the document as it is read', async (t) => {
  const source = readFileSync(new URL('openapi/petstore.yaml', root), 'utf8')
  t.same(await openDocument(root), { source, document: await readDocument(source), warnings: [] })
})

t.test('a text that was checked is not read again', async (t) => {
  t.same(await openDocument(folderOf(t, {})), { source: YAML, document: { generated: true }, warnings: [] })
})

t.test('a text that was not checked is read, whichever of the files has changed', async (t) => {
  const read = { openapi: '3.1.0', info: { title: 'Books', version: '1' }, paths: {} }
  const edited = `# Edited\n${YAML}`
  t.same(await openDocument(folderOf(t, { yaml: edited })), { source: edited, document: read, warnings: [] })
  t.same(await openDocument(folderOf(t, { json: '{}' })), { source: YAML, document: read, warnings: [] })
  t.same(await openDocument(folderOf(t, { proof: '' })), { source: YAML, document: read, warnings: [] })
  await t.rejects(openDocument(folderOf(t, { yaml: 'openapi: 2.0.0' })), ContractError)
})

t.test('a repository whose generated/ does not match the document is warned of, and nothing else', async (t) => {
  const warnings = ['generated/ does not match openapi/petstore.yaml; run: npm run generate']
  for (const [files, wanted] of [
    [{ yaml: `# Edited\n${YAML}` }, warnings],
    [{ json: '{}' }, warnings],
    [{}, []]
  ] as const) {
    const folder = folderOf(t, files)
    mkdirSync(new URL('scripts', folder))
    writeFileSync(new URL('scripts/generate.ts', folder), '')
    t.same((await openDocument(folder)).warnings, wanted)
  }
})

t.test('a text is read where nothing was generated, or only a part is there', async (t) => {
  for (const absent of ['petstore.json', 'openapi.sha256']) {
    const folder = folderOf(t, {})
    rmSync(new URL(`generated/${absent}`, folder))
    t.match(await openDocument(folder), { source: YAML, document: { openapi: '3.1.0' } }, absent)
  }
})

t.test('the proof is in the form that sha256sum --check takes', async (t) => {
  t.equal(
    proofOf('', '\n'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  ../openapi/petstore.yaml\n' +
      '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b  petstore.json\n'
  )
})
