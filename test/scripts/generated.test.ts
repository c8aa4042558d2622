import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import ts from 'typescript'
import { CLIENT_LIMIT, clientSizeOf } from '../../scripts/generate/client.js'
import { generatedFrom } from '../../scripts/generate/package.js'
import { source } from '../support/service.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'petstore-generated-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const probe = { file: join(root, 'generated/probe.ts'), text: '', version: 0 }
const editor = ts.createLanguageService({
  getScriptFileNames: () => [probe.file],
  getScriptVersion: (name) => (name === probe.file ? String(probe.version) : '0'),
  getScriptSnapshot: (name) =>
    ts.ScriptSnapshot.fromString(name === probe.file ? probe.text : readFileSync(name, 'utf8')),
  getCompilationSettings: () => ({ lib: ['lib.es5.d.ts'], types: [] }),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile
})

/** What an editor shows at the last name of a type, in a file beside the package. */
function hover (type: string): string {
  probe.version++
  probe.text = `import type { ${/^\w+/.exec(type)![0]} } from './index.js'\nexport type Probe = ${type}`
  const { documentation, tags = [] } = editor.getQuickInfoAtPosition(probe.file, /\W*$/.exec(probe.text)!.index - 1)!
  return [
    ts.displayPartsToString(documentation),
    ...tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
  ].join('\n')
}

t.test('generated/ is what the document makes of it, and nothing else', async (t) => {
  const files = await generatedFrom(source)
  const present = readdirSync(join(root, 'generated'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(root, 'generated'), join(parentPath, name)))
  t.same(present.sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.ok(readFileSync(join(root, 'generated', name), 'utf8') === text, name)
})

t.test('the client adds little to a page', async (t) => {
  const size = await clientSizeOf(readFileSync(join(root, 'generated/client.mjs'), 'utf8'))
  t.ok(size <= CLIENT_LIMIT, `${size} bytes`)
})

t.test('the check names what is stale, missing and not made by it, and mends nothing', async (t) => {
  const copy = join(folder, 'copy')
  for (const name of ['generated', 'openapi', 'scripts', 'src', 'LICENSE', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const generated = join(copy, 'generated')
  writeFileSync(join(generated, 'index.js'), 'exports.petStatusValues = []\n')
  writeFileSync(join(generated, 'index.ts'), '')
  rmSync(join(generated, 'README.md'))
  const check = promisify(execFile)(join(root, 'node_modules/.bin/tsx'), ['scripts/generate.ts', '--check'], {
    cwd: copy
  })
  const { code, stderr } = await check.then(
    () => t.fail('it passes'),
    (error) => error
  )
  t.equal(code, 1)
  t.match(stderr, 'generated/ holds what was not generated: index.ts\n')
  t.match(stderr, 'Stale: generated/index.js, generated/README.md. Run: npm run generate\n')
  t.notOk(readdirSync(generated).includes('README.md'))
})

t.test('an editor shows the descriptions', async (t) => {
  t.match(hover('Pet'), 'An animal of the store.')
  t.match(hover('NewPet["name"]'), "The animal's name.")
  t.match(hover('ListPetsQuery["status"]'), 'Filter by availability status.')
  t.match(hover('operations["listPets"]'), 'List animals')
  t.match(hover('CreatePetBody'), 'The request body of `createPet` (POST /pets).')
})

t.test(
  'an editor strikes a deprecated operation through, and tells when it goes and what to call instead',
  async (t) => {
    for (const type of [
      'paths["/pets/{petId}"]["get"]',
      'operations["getPet"]',
      'GetPetPath',
      'GetPetResponse',
      'GetPetError'
    ]) {
      t.match(hover(type), '@deprecated To be removed on 5 December 2030. Use listPets (GET /pets) instead.', type)
    }
    for (const type of ['paths["/pets"]["get"]', 'operations["listPets"]', 'ListPetsResponse', 'Pet']) {
      t.notMatch(hover(type), '@deprecated', type)
    }
  }
)

t.test('an editor tells at each int64 how far a number is exact', async (t) => {
  for (const type of ['Pet["id"]', 'Pet["categoryId"]', 'NewPet["categoryId"]', 'GetPetPath["petId"]']) {
    t.match(hover(type), /Exact as a JavaScript number only from -9007199254740991 to 9007199254740991\./, type)
  }
  t.notMatch(hover('ListPetsQuery["limit"]'), /Exact/)
})
