import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { GUIDE_ADDRESS } from '../../src/pages/guide-text.js'
import { ROOT } from '../support/documents.js'
import { guide, startService, type Service } from '../support/service.js'

const run = promisify(execFile)

interface Sample {
  heading: string
  codes: Record<string, string>
  prints: string
}

/** All samples of the guide in its order. */
const ALL: Sample[] = guide.split('\n## ').flatMap((section) => {
  const [heading] = section.split('\n', 1)
  const groups = section.match(/(?:^```\w+\n[^]*?\n```\n)+/gm) ?? []
  return groups.map((group) => {
    const blocks = [...group.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, name, code]) => [name!, code!] as const)
    const prints = blocks.find(([name]) => ['json', 'text'].includes(name))?.[1] ?? ''
    return { heading: heading!, prints, codes: Object.fromEntries(blocks.filter(([, code]) => code !== prints)) }
  })
})

/** Those that stand in each language, with what they print; the other is the script of a page in a browser. */
const SAMPLES = ALL.filter(({ heading }) => heading !== 'From a browser')

/** How a file of each language is run; TypeScript as the JavaScript that it compiles to. */
const RUNNERS: Record<string, string[]> = {
  sh: ['bash'],
  js: [process.execPath],
  ts: [process.execPath],
  py: ['python3']
}
const PROGRAMS: Record<string, string[]> = { sh: ['bash', 'curl', 'jq'], js: [], ts: [], py: ['python3'] }

const COMPILER_OPTIONS = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }

const isThere = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** A folder of a new user: the packed package and its peer, and nothing else of the project. */
function userFolder (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-guide-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(ROOT, 'generated'), join(folder, 'node_modules/petstore-api-types'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

interface Run {
  folder: string
  service: Service
  secret?: string | undefined
}

/** Runs a sample in a language, and gives what it writes, whether it fails or not. */
async function runSample ({ heading, codes }: Sample, language: string, { folder, service, secret }: Run) {
  const file = `${heading}.${language === 'ts' ? 'js' : language}`
  const code = codes[language]!.replaceAll(GUIDE_ADDRESS, `${service.root}/v1`)
  writeFileSync(join(folder, file), language === 'ts' ? ts.transpile(code, COMPILER_OPTIONS) : code)
  const [program, ...args] = [...RUNNERS[language]!, file]
  const { stdout, stderr } = await run(program!, args, {
    cwd: folder,
    env: { ...process.env, PETSTORE_KEY: secret ?? service.key, NODE_ENV: 'production' }
  }).catch((error: { stdout: string; stderr: string }) => error)
  return { stdout: stdout.trimEnd(), stderr }
}

/** What the samples of lists print of so many animals, all of them sold. */
const LISTS = new Map<string, (names: string[]) => string>([
  ['Paging', (names) => names.join('\n')],
  ['The newest', (names) => names.at(-1)!],
  ['Searching', () => '']
])

interface Obstacle {
  secret?: string
  after: () => Promise<void>
}

/** What stands in the way of a sample, by its heading; gives what to assert afterwards. */
const OBSTACLES: Record<string, (t: Test, service: Service) => Promise<Obstacle>> = {
  async Limits (t, { app, clock, root, makeKey }) {
    const { secret } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 100 })
    clock.set('2026-03-04T10:20:59Z')
    const headers = { authorization: `Bearer ${secret}` }
    t.equal((await fetch(`${root}/v1/pets`, { headers })).status, 200)
    const statuses = statusesOf(app)
    app.server.on('request', (_request, response) => {
      response.on('finish', () => { if (response.statusCode === 429) clock.advance(1_000) })
    })
    return { secret, after: async () => { t.same(statuses, [429, 200], 'it waited once') } }
  },
  async 'Safe retries' (t, { app, call }) {
    let lost = 0
    app.server.on('request', (request, response) => {
      if (request.method !== 'POST' || lost++ > 0) return
      // The request is done, and its answer gets lost.
      response.writeHead = response.write = response.end = ((..._: unknown[]) => {
        request.socket.destroy()
        return response
      }) as never
    })
    return {
      async after () {
        t.equal(lost, 2, 'it was sent twice')
        const { json } = await call('GET', '/pets')
        t.equal(json.filter(({ name }: { name: string }) => name === 'Tom').length, 1, 'and nothing was made twice')
      }
    }
  }
}

function statusesOf (app: Service['app']): number[] {
  const statuses: number[] = []
  app.server.on('request', (_request, response) => {
    response.on('finish', () => statuses.push(response.statusCode))
  })
  return statuses
}

t.test('each sample stands in curl, JavaScript, TypeScript and Python, with what it prints', async (t) => {
  t.same(
    SAMPLES.map(({ heading }) => heading),
    ['First call', 'Errors', 'Limits', 'Safe retries', 'Conditional reads', 'Paging', 'The newest', 'Searching', 'Stability']
  )
  for (const { heading, codes, prints } of SAMPLES) {
    t.same(Object.keys(codes), ['sh', 'js', 'ts', 'py'], heading)
    t.not(prints, '', heading)
  }
})

for (const language of Object.keys(RUNNERS)) {
  const missing = PROGRAMS[language]!.filter((program) => !isThere(program))
  const skip = missing.length > 0 && `not on PATH: ${missing.join(', ')}`
  t.test(`every sample in ${language} prints what the guide says, in order, against the service`, { skip }, async (t) => {
    const service = await startService(t)
    const folder = userFolder(t)
    await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 7, status: 'available' } })
    await service.call('POST', '/pets', { body: { name: 'Ada', categoryId: 9 } })
    for (const sample of SAMPLES) {
      const { secret, after } = (await OBSTACLES[sample.heading]?.(t, service)) ?? {}
      const { stdout, stderr } = await runSample(sample, language, { folder, service, secret })
      t.equal(stdout, sample.prints.trimEnd(), `${sample.heading} ${stderr}`)
      await after?.()
    }
  })

  t.test(`the samples of lists in ${language} read hundreds of animals with few calls, and tell of a refusal`, { skip }, async (t) => {
    const service = await startService(t)
    const folder = userFolder(t)
    const names = Array.from({ length: 205 }, (_, index) => `Pet ${index + 1}`)
    await service.repositories.pets.createAll(names.map((name) => ({ name, categoryId: 7, status: 'sold' })))
    const { secret } = await service.makeKey({ plan: 'free' })
    const statuses = statusesOf(service.app)
    for (const sample of SAMPLES.filter(({ heading }) => LISTS.has(heading))) {
      statuses.length = 0
      const { stdout } = await runSample(sample, language, { folder, service, secret })
      t.equal(stdout, LISTS.get(sample.heading)!(names), sample.heading)
      t.ok(statuses.length <= 3 && statuses.every((status) => status === 200), `${sample.heading}: ${statuses}`)
    }
    for (const sample of SAMPLES.filter(({ heading }) => heading === 'Stability' || LISTS.has(heading))) {
      const { stdout, stderr } = await runSample(sample, language, { folder, service, secret: 'wrong' })
      // A refusal of the deprecated operation has its Sunset too.
      if (sample.heading !== 'Stability') t.equal(stdout, '', sample.heading)
      t.match(stderr, /\b401\b|Missing or invalid API key/, sample.heading)
      t.notMatch(stderr, /TypeError|jq:/, sample.heading)
    }
  })
}

t.test('every sample in TypeScript compiles under strict', async (t) => {
  const folder = userFolder(t)
  for (const [index, { codes }] of ALL.entries()) writeFileSync(join(folder, `${index}.ts`), codes.ts!)
  const options = [
    '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022',
    '--module', 'nodenext', '--types', 'node', '--preserveSymlinks'
  ]
  const files = ALL.map((_, index) => `${index}.ts`)
  const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...files], {
    cwd: folder
  }).catch((error: { stdout: string }) => error)
  t.equal(stdout, '')
})
