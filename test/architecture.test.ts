import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = filesIn('src')
const scripts = filesIn('scripts')

/**
 * What each room of src may import, besides itself; of several entries that a file lies under, the longest counts.
 * `type:` stands for imports of types only. A room of contract or storage may import those above it in this list.
 */
const ALLOWED: Record<string, RegExp[]> = {
  domain: [/^type:generated\/server$/, /^node:(crypto|zlib)$/],
  contract: [
    /^(type:)?node:(http|stream|util)$/,
    /^(type:)?fastify$/,
    /^(type:)?ajv/,
    /^(type:)?(yaml|lossless-json|saxes|@fastify\/busboy|@seriousme\/openapi-schema-validator)$/
  ],
  operations: [/^(type:)?src\/domain\//, /^(type:)?src\/contract\/index$/, /^type:generated\/server$/],
  pages: [/^type:src\/contract\/index$/, /^(type:)?(ghtml|marked)$/, /^node:crypto$/],
  plugins: [
    /^(type:)?src\/domain\//,
    /^type:src\/contract\/index$/,
    /^(type:)?src\/pages\//,
    /^(type:)?(fastify|fastify-plugin|@fastify\/[a-z-]+|ghtml|lru-cache|negotiator)$/,
    /^(type:)?node:(crypto|http|net|timers\/promises)$/
  ],
  storage: [
    /^(type:)?src\/domain\//,
    /^(type:)?(@photostructure\/sqlite|pg|ioredis)$/,
    /^node:(async_hooks|crypto|fs|net|path|timers\/promises)$/
  ],
  metrics: [
    /^(type:)?src\/domain\//,
    /^type:src\/contract\/index$/,
    /^(type:)?(prom-client|fastify-plugin)$/,
    /^type:fastify$/,
    /^(type:)?node:(fs\/promises|http|path|timers\/promises|v8)$/
  ],
  tracing: [
    /^(type:)?src\/domain\//,
    /^(type:)?(@opentelemetry\/.+|@fastify\/otel|fastify-plugin)$/,
    /^type:fastify$/,
    /^node:timers\/promises$/
  ],
  cli: [
    /^(type:)?src\/(app|mock|server|config|domain\/.+|storage\/.+|contract\/index)$/,
    /^src\/(metrics\/metrics|tracing\/tracing)$/,
    /^(type:)?(commander|fastify|pino-pretty)$/,
    /^(type:)?node:/
  ],
  'main.ts': [/^src\/cli\/(program|broken-output|terminal\/program-name)$/, /^src\/domain\/clock$/],
  'config.ts': [/^(type:)?envalid$/, /^node:(net|path)$/],
  'app.ts': [
    /^(type:)?src\/(contract\/index$|operations|plugins|server)/,
    /^type:src\/(domain|metrics|tracing)\//,
    /^type:fastify$/
  ],
  'mock.ts': [/^(type:)?src\/(contract\/index$|pages|plugins|server)/, /^src\/domain\/clock$/, /^type:fastify$/],
  'server.ts': [
    /^type:src\/contract\/index$/,
    /^src\/plugins\//,
    /^src\/domain\/(errors|scopes)$/,
    /^fastify$/,
    /^node:crypto$/
  ]
}

/** The rooms within a room, from the ground up: each may import those before it, and none of those behind it. */
const FLOORS: Record<string, string[]> = {
  contract: ['document', 'operation', 'request', 'request/body', 'validation', 'response', 'examples', '.'],
  storage: ['scheduling', 'connection', 'database', 'repositories', 'usage', '.']
}

/** Plugins of one concern that stand in more than one file; only the shell, which is a list of plugins, has others. */
const SAME_CONCERN = new Set([
  'connection/closing>connection/answer-queue',
  'connection/closing>connection/node-internals',
  'connection/closing>connection/malformed',
  'connection/malformed>connection/answer-queue',
  'connection/answer-queue>connection/node-parser',
  'connection/overload/overload>connection/turns',
  'connection/overload/overload>connection/overload/refusals',
  'connection/overload/overload>connection/overload/waiting-line',
  'connection/overload/refusals>connection/overload/asked-to-wait',
  'connection/overload/refusals>connection/malformed',
  'connection/untaken>connection/answer-queue',
  'connection/untaken>connection/node-internals',
  'connection/untaken>connection/node-parser',
  'connection/pipelining>connection/answer-queue',
  'connection/pipelining>connection/node-internals',
  'connection/pipelining>connection/node-parser',
  'connection/pipelining>connection/turns',
  'connection/under-way>connection/answer-queue',
  'connection/under-way>connection/turns',
  'operation/response-cache>operation/conditional',
  'connection/forwarded>connection/host',
  'connection/protocol>connection/host',
  'connection/protocol>connection/routable-url',
  'connection/protocol>connection/turns',
  'connection/protocol>header-count',
  'gate/auth>header-count',
  'connection/protocol>connection/malformed',
  'connection/routable-url>connection/host',
  'connection/malformed>answer/security-headers',
  'answer/errors>answer/outages',
  'gate/rate-limit>gate/address-store',
  'gate/fresh-limits>gate/rate-limit'
])

for (const file of files) {
  const [, room = ''] = file.split('/')
  t.test(`${file} imports only what its room may`, async (t) => {
    const allowed = ALLOWED[room]
    if (!allowed) t.fail(`${room} is no room of the house`)
    for (const name of allowed ? importsOf(file) : []) {
      const bare = name.replace(/^type:/, '')
      if (bare.startsWith(`src/${room}/`)) {
        const pair = `${file.slice(12, -3)}>${bare.slice(12)}`
        const isPlugin = room === 'plugins' && file !== 'src/plugins/shell.ts'
        if (isPlugin && bare === name && !SAME_CONCERN.has(pair)) t.fail(`a plugin imports another: ${pair}`)
        if (room in FLOORS) t.ok(floorOf(room, bare) <= floorOf(room, file), `${bare} is not above ${file}`)
        continue
      }
      if (!allowed!.some((pattern) => pattern.test(name))) t.fail(`imports ${name}`)
    }
  })
}

/** The floor on which a file lies: the longest folder of the list that it stands in. */
function floorOf (room: string, file: string): number {
  const folder = dirname(relative(`src/${room}`, file))
  const floors = FLOORS[room]!
  const own = floors.filter((floor) => floor === '.' || `${folder}/`.startsWith(`${floor}/`))
  const longest = own.reduce((a, b) => (b !== '.' && b.length >= a.length ? b : a))
  return floors.indexOf(longest)
}

t.test('no file imports itself by way of others', async (t) => {
  const graph = new Map(
    [...files, ...scripts].map((file) => [file.slice(0, -3), importsOf(file).map((name) => name.replace(/^type:/, ''))])
  )
  const done = new Set<string>()
  const follow = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      t.fail(`a circle: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`)
      return
    }
    if (done.has(file) || !graph.has(file)) return
    for (const next of graph.get(file)!) follow(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) follow(file, [])
  t.equal(done.size, files.length + scripts.length)
})

t.test('scripts import nothing of the tests, which import from them', async (t) => {
  for (const file of scripts) t.notOk(importsOf(file).some((name) => /^(type:)?test\//.test(name)), file)
})

t.test('the contract layer knows no pet', async (t) => {
  for (const file of files.filter((name) => name.startsWith('src/contract/'))) {
    // `/pets` stands in comments as the example of a path; code may not know it.
    const code = ts
      .createPrinter({ removeComments: true })
      .printFile(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest))
    t.notMatch(code, /\bpets?\b/i, file)
  }
})

t.test('only the programs read the environment', async (t) => {
  for (const file of files.filter((name) => !/^src\/(cli|main)/.test(name))) {
    t.notMatch(read(file), /process\.env/, file)
  }
})

function filesIn (folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

function read (file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** What a file imports, at its top, to export it again, or while it runs; `type:` stands before imports of types. */
function importsOf (file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest)
  const imports: string[] = []
  const visit = (node: ts.Node): void => {
    const imported = importOf(node)
    if (imported && ts.isStringLiteral(imported.specifier)) {
      const { text } = imported.specifier
      const name = text.startsWith('.') ? relative(root, join(root, dirname(file), text)).replace(/\.js$/, '') : text
      imports.push(imported.typeOnly ? `type:${name}` : name)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return imports
}

function importOf (node: ts.Node): { specifier: ts.Node; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    const { moduleSpecifier: specifier, importClause: clause } = node
    return { specifier, typeOnly: clause?.isTypeOnly || (!clause?.name && areTypes(clause?.namedBindings)) }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: node.moduleSpecifier, typeOnly: node.isTypeOnly || areTypes(node.exportClause) }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return { specifier: node.arguments[0]!, typeOnly: false }
  }
  return undefined
}

/** Whether all the names between the braces of an import or export are types. */
function areTypes (names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!names || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return false
  const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = names.elements
  return elements.every((element) => element.isTypeOnly)
}
