import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { GUIDE_ADDRESS } from '../../src/pages/guide-text.js'
import { ROOT } from '../support/documents.js'
import { guide, startService, type Service } from '../support/service.js'

const run = promisify(execFile)

interface Sample {
  heading: string
  codes: Record<string, string>
  prints: string
}

/** The samples of the guide in its order: the same program in each language, and what it prints. */
const SAMPLES: Sample[] = guide.split('\n## ').flatMap((section) => {
  const [heading] = section.split('\n', 1)
  const groups = section.match(/(?:^```\w+\n[^]*?\n```\n)+/gm) ?? []
  return groups.map((group) => {
    const blocks = [...group.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, name, code]) => [name!, code!] as const)
    const prints = blocks.find(([name]) => ['json', 'text'].includes(name))?.[1] ?? ''
    return { heading: heading!, prints, codes: Object.fromEntries(blocks.filter(([, code]) => code !== prints)) }
  })
})

/** How a file of each language is run. */
const RUNNERS: Record<string, string[]> = {
  sh: ['bash'],
  js: [process.execPath],
  ts: [process.execPath, '--import', import.meta.resolve('tsx')],
  py: ['python3']
}
const PROGRAMS: Record<string, string[]> = { sh: ['bash', 'curl', 'jq'], js: [], ts: [], py: ['python3'] }

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
    for (const [index, { heading, codes, prints }] of SAMPLES.entries()) {
      const { secret = service.key, after } = (await OBSTACLES[heading]?.(t, service)) ?? {}
      const file = `${index}.${language}`
      writeFileSync(join(folder, file), codes[language]!.replaceAll(GUIDE_ADDRESS, `${service.root}/v1`))
      const [program, ...args] = [...RUNNERS[language]!, file]
      const { stdout } = await run(program!, args, {
        cwd: folder,
        env: { ...process.env, PETSTORE_KEY: secret, NODE_ENV: 'production' }
      })
      t.equal(stdout.trimEnd(), prints.trimEnd(), heading)
      await after?.()
    }
  })
}

t.test('every sample in TypeScript compiles under strict', async (t) => {
  const folder = userFolder(t)
  for (const [index, { codes }] of SAMPLES.entries()) writeFileSync(join(folder, `${index}.ts`), codes.ts!)
  const options = [
    '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022',
    '--module', 'nodenext', '--types', 'node', '--preserveSymlinks'
  ]
  const files = SAMPLES.map((_, index) => `${index}.ts`)
  const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...files], {
    cwd: folder
  }).catch((error: { stdout: string }) => error)
  t.equal(stdout, '')
})
