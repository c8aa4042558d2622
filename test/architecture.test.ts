import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src', name))

/** What each folder of src may import, besides itself. `type:` stands for imports of types only. */
const ALLOWED: Record<string, RegExp[]> = {
  domain: [/^type:generated\/server$/, /^node:(crypto|zlib)$/],
  contract: [
    /^(type:)?node:(http|stream|util)$/,
    /^(type:)?fastify$/,
    /^(type:)?ajv/,
    /^yaml$/,
    /^lossless-json$/,
    /^saxes$/,
    /^@seriousme\/openapi-schema-validator$/
  ],
  operations: [/^(type:)?src\/domain\//, /^(type:)?src\/contract\/handler$/, /^type:generated\/server$/],
  pages: [/^src\/domain\/dates$/, /^type:src\/contract\//, /^ghtml$/, /^node:crypto$/],
  plugins: [
    /^(type:)?src\/domain\//,
    /^type:src\/contract\//,
    /^(type:)?src\/pages\//,
    /^(type:)?(fastify|fastify-plugin|@fastify\/[a-z-]+|accepts|ghtml)$/,
    /^(type:)?node:(crypto|http|net|timers\/promises)$/
  ],
  storage: [
    /^(type:)?src\/domain\//,
    /^(type:)?(better-sqlite3|pg|ioredis)$/,
    /^node:(async_hooks|crypto|fs|net|path)$/
  ],
  cli: [/./],
  'main.ts': [/./],
  'config.ts': [/^(type:)?envalid$/, /^node:net$/],
  'app.ts': [/^src\/(contract|operations|plugins|server)\b/, /^type:src\/domain\//, /^type:fastify$/],
  'mock.ts': [/^src\/(contract|plugins|server)\b/, /^src\/domain\/clock$/, /^type:fastify$/],
  'server.ts': [
    /^type:src\/contract\/document$/,
    /^src\/plugins\//,
    /^src\/domain\/(errors|scopes)$/,
    /^fastify$/,
    /^node:crypto$/
  ]
}
/** Plugins of one concern that stand in more than one file. */
const SAME_CONCERN = new Set(['protocol>malformed', 'malformed>security-headers', 'rate-limit>address-store'])

for (const file of files) {
  const [, room = ''] = file.split('/')
  t.test(`${file} imports only what its room may`, async (t) => {
    const allowed = ALLOWED[room]
    if (!allowed) t.fail(`${room} is no room of the house`)
    for (const name of allowed ? importsOf(file) : []) {
      const bare = name.replace(/^type:/, '')
      if (bare.startsWith(`src/${room}/`)) {
        const pair = `${file.slice(12, -3)}>${bare.slice(12)}`
        if (room === 'plugins' && !name.startsWith('type:') && !SAME_CONCERN.has(pair)) {
          t.fail(`a plugin imports another: ${pair}`)
        }
        continue
      }
      if (!allowed!.some((pattern) => pattern.test(name))) t.fail(`imports ${name}`)
    }
  })
}

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

t.test('no file has more than 250 lines', async (t) => {
  const lines = files.map((file) => ({ file, count: read(file).split('\n').length - 1 }))
  for (const { file, count } of lines) t.ok(count <= 250, `${file}: ${count}`)
})

function read (file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function importsOf (file: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest)
  return source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .map((statement) => {
      const { text } = statement.moduleSpecifier as ts.StringLiteral
      const { importClause: clause } = statement
      const named =
        clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : undefined
      const typeOnly = clause?.isTypeOnly || (named && !clause?.name && named.every((element) => element.isTypeOnly))
      const name = text.startsWith('.') ? relative(root, join(root, dirname(file), text)).replace(/\.js$/, '') : text
      return typeOnly ? `type:${name}` : name
    })
}

t.test('every handle of SQLite is kept, so that none is garbage-collected', async (t) => {
  for (const file of files.filter((name) => name.startsWith('src/storage/') && name !== 'src/storage/keep.ts')) {
    t.notMatch(read(file), /(?<!keep\()(new Sqlite\(|connection\.prepare\()|\.pragma\(|\.transaction\(\(\) =>/, file)
  }
})
