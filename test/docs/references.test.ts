import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { DOCUMENTS, ROOT, sectionOf, textOf } from '../support/documents.js'

const readme = textOf('README.md')
const all = DOCUMENTS.map(textOf).join('\n')

/** The names of the folders in a folder. */
function foldersIn (path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : []
  )
}

/** The anchors of a document, as GitHub makes them from its headings. */
function anchorsOf (text: string): string[] {
  return [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  )
}

t.test('both commands stand at the top of the README, which has at most 250 lines', async (t) => {
  const top = readme.slice(0, 1_000)
  t.match(top, /npm ci && npm start/)
  t.match(top, /npm ci && npm test/)
  t.ok(readme.trimEnd().split('\n').length <= 250)
})

t.test('the README leads to every document', async (t) => {
  for (const path of DOCUMENTS.filter((path) => !/^(README\.md|generated\/)/.test(path))) {
    t.ok(readme.includes(`](${path})`), path)
  }
})

t.test('every command is a script of the package, and every script that a person calls is in a document', async (t) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  for (const [, name] of all.matchAll(/npm run ([a-z:-]*[a-z])/g)) t.ok(scripts[name!], `npm run ${name}`)
  for (const name of Object.keys(scripts).filter((script) => !/^(pre|start$|test$)/.test(script))) {
    t.match(all, `npm run ${name}`)
  }
})

for (const path of DOCUMENTS) {
  t.test(`every file and link that ${path} names is there`, async (t) => {
    const text = textOf(path)
    for (const [, name] of text.matchAll(/`((?:src|test|openapi|generated|scripts|docs)\/[\w./-]*)`/g)) {
      t.ok(existsSync(join(ROOT, name!)), name!)
    }
    for (const [, link] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(link!)) continue
      const [file, anchor] = link!.split('#')
      const target = file === '' ? path : join(dirname(path), file!)
      t.ok(existsSync(join(ROOT, target)), link!)
      if (anchor !== undefined) t.ok(anchorsOf(textOf(target)).includes(anchor), link!)
    }
  })
}

t.test('every folder of the project is in the README, and every folder within one in the architecture', async (t) => {
  const layout = sectionOf(readme, 'Where things are')
  for (const name of foldersIn('src')) t.ok(layout.includes(`\`src/${name}/\``), name)
  for (const name of ['openapi', 'generated', 'test', 'scripts', 'docs']) t.ok(layout.includes(`\`${name}/\``), name)
  const rooms = sectionOf(textOf('docs/architecture.md'), 'Rooms within rooms')
  for (const room of ['contract', 'storage', 'plugins']) {
    for (const name of foldersIn(`src/${room}`)) t.ok(rooms.includes(`\`src/${room}/${name}/\``), `${room}/${name}`)
  }
})
