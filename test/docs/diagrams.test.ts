import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { blocksOf, ROOT, textOf } from '../support/documents.js'

const [rooms = '', request = ''] = blocksOf(textOf('docs/architecture.md'), 'mermaid')

/** The boxes of the diagram that stand for more than one folder or file. */
const BOXES: Record<string, string> = {
  'main.ts': 'program',
  'config.ts': 'program',
  cli: 'program',
  'app.ts': 'apps',
  'mock.ts': 'apps',
  'server.ts': 'apps'
}

/** The box in which a file stands, by its path from the folder of the project. */
function boxOf (path: string): string {
  const [top = '', room = ''] = path.split('/')
  const name = room.replace(/\.js$/, '.ts')
  return top === 'src' ? (BOXES[name] ?? name) : top
}

/** The arrows from the box of a file to others, dotted for an import of types. */
function arrowsOf (path: string): string[] {
  const imports = textOf(path).matchAll(/\bimport(?: (type )?[^'()]*from )?\(?'(\.[^']+)'/g)
  return [...imports].flatMap(([, type, target]) => {
    const [from, to] = [boxOf(path), boxOf(relative(ROOT, join(ROOT, dirname(path), target!)))]
    return from === to ? [] : [`${from} ${type ? '-.->' : '-->'} ${to}`]
  })
}

t.test('the arrows between the rooms are the imports of the code', async (t) => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
  const found = new Set(files.flatMap(arrowsOf))
  const imports = [...found].filter((arrow) => !found.has(arrow.replace('-.->', '-->')) || arrow.includes('-->'))
  const drawn = [...rooms.matchAll(/^ *(\w+ (?:-->|-\.->) \w+)$/gm)].map(([, arrow]) => arrow)
  t.same(drawn.toSorted(), imports.toSorted())
})

t.test('the diagram of a request names rooms that are there', async (t) => {
  const names = [...request.matchAll(/^ *participant \w+ as ([a-z/<>]+)$/gm)].flatMap(([, name]) => name!.split('<br>'))
  t.ok(names.length > 5)
  for (const name of names) t.ok(existsSync(join(ROOT, 'src', name)), name)
})
