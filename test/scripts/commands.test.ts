import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { runScript, type Ended } from '../../scripts/cluster/program.js'
import { testFiles } from '../../scripts/test/files.js'
import { Lane } from '../../scripts/test/lane.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('npm start runs the service, prints a first call that works, and stops when npm is told to', async (t) => {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => {
    npm.kill('SIGKILL')
  })
  const ended = once(npm, 'exit')
  let output = ''
  const [, authorization, url] = await new Promise<RegExpExecArray>((resolve, reject) => {
    ended.then(() => reject(new Error(output)), reject)
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        const found = /curl -H "Authorization: (Bearer pet_test_\w{38})" (http:\S+)/.exec(output)
        if (found) resolve(found)
      })
    }
  })
  const response = await fetch(url!, { headers: { authorization: authorization! } })
  t.equal(response.status, 200)
  t.same(await response.json(), [])

  npm.kill('SIGTERM')
  await ended
  await t.rejects(fetch(url!), 'the server went with npm')
})

/** Imports a script with one word on its command line, and returns the exit code and what it printed. */
async function runImported (t: Test, file: string, word: string): Promise<Ended> {
  const { argv } = process
  const exit = t.capture(process, 'exit', () => { throw new Error('exit') })
  const [stdout, stderr] = (['log', 'error'] as const).map((method) => t.capture(console, method))
  process.argv = [argv[0]!, file, word]
  try {
    await t.rejects(import(`../../scripts/${file}.ts?${word}`), { message: 'exit' })
  } finally {
    process.argv = argv
  }
  const printed = [stdout, stderr].map((calls) => calls!().map(({ args }) => args.join(' ')).join('\n'))
  return { code: exit().at(-1)?.args[0] as number ?? 0, stdout: printed[0]!, stderr: printed[1]! }
}

t.test('every script that checks or measures has --help, and refuses words that it does not know', async (t) => {
  const checks = ['breaking', 'check', 'documents', 'faults', 'flows', 'fuzz', 'generate', 'limits']
  const named = [...checks, 'backup:cost', 'bench', 'cluster', 'overload', 'packages', 'soak', 'stall', 'test:nodes', 'tools']
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const script of named) {
    const file = /scripts\/(\S+)\.ts/.exec(scripts[script]!)![1]!
    await t.test(script, async (t) => {
      const help = await runImported(t, file, '--help')
      t.match(help, { code: 0, stdout: new RegExp(`^Usage: npm run ${script}\\b`), stderr: '' }, '--help')
    })
    await t.test(`${script} --nonsense`, async (t) => {
      const nonsense = await runImported(t, file, '--nonsense')
      t.match(nonsense, { code: 2, stdout: '', stderr: /Unknown option '--nonsense'[^]*Usage: / }, '--nonsense')
    })
  }
  t.match(await runScript('breaking', '--nonsense'), { code: 2, stdout: '', stderr: /Unknown option '--nonsense'[^]*Usage: / })
})

t.test('every file of tests is found by the commands that run the tests, once', async (t) => {
  const files = testFiles()
  const found = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.ts') && /^(import t\b.*'tap'$|testPostgres\()/m.test(readFileSync(join(root, path), 'utf8')))
    .filter((path) => !path.startsWith('test/support/'))
  t.same(files.map(({ path }) => path).sort(), found.sort())
  t.ok(files.some(({ thorough }) => thorough) && files.some(({ thorough }) => !thorough))
  t.ok(files.some(({ alone }) => alone))
})

t.test('npm run coverage finds the tests, with options that tap knows', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const command = scripts.coverage!.replace(/^.*\btap\b/, 'npx tap list')
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root })
  t.match(stdout, /^test\/scripts\/commands\.test\.ts$/m, command)
})

t.test('npm test runs the files that it is told, and fails with what failed', async (t) => {
  const one = await runScript('test', 'test/domain/scopes.test.ts')
  t.match(one, { code: 0, stdout: /^4 assertions in 1 file: 4 passed, 0 failed, 0 skipped; \d+ s\.$/m })
  t.match(await runScript('test', '--help'), { code: 0, stdout: /^Usage: npm test\b/, stderr: '' })
  t.match(await runScript('test', 'test/nowhere.test.ts'), { code: 2, stderr: /nowhere/ })

  t.match(await runScript('test', 'test/api/request/exact.test.ts'), { code: 0, stdout: /^ *# \d+ characters$/m }, 'what it measures')

  const failing = join(
    t.testdir({ 'failing.ts': "import t from 'tap'\nt.test('sums', async (t) => { t.equal(1 + 1, 3, 'one and one') })\n" }),
    'failing.ts'
  )
  const lane = new Lane()
  const { assertions, failed, failures } = await lane.run(failing)
  await lane.end()
  t.same({ assertions, failed }, { assertions: 1, failed: 1 })
  t.match(failures.join('\n'), /not ok 1 - one and one\n[^]*-3\n[^]*\+2\n[^]*not ok 1 - sums/)
})

t.test('a file that ends its process, or cannot be read, fails; those behind it run', async (t) => {
  const folder = t.testdir({
    'ending.ts': "import t from 'tap'\nt.test('ends', async () => { process.exit(0) })\n",
    'broken.ts': 'import t from "nowhere"\nt.pass()\n',
    'good.ts': "import t from 'tap'\nt.pass()\n"
  })
  const lane = new Lane()
  const outcomes = []
  for (const name of ['ending.ts', 'broken.ts', 'good.ts']) outcomes.push(await lane.run(join(folder, name)))
  await lane.end()
  t.same(
    outcomes.map(({ assertions, failed }) => [assertions, failed]),
    [
      [1, 1],
      [1, 1],
      [1, 0]
    ]
  )
  t.match(outcomes[0]!.failures.at(-1), /^The process ended with \d+ before the tests did\.$/)
  t.match(outcomes[1]!.failures.join('\n'), /broken\.ts ended with an error: .*nowhere/)
})

t.test('a file fails that throws while a test of it runs, leaves a rejection behind, or asserts nothing', async (t) => {
  const slow = "t.test('slow', async (t) => { await new Promise((end) => setTimeout(end, 100)); t.pass() })"
  const good = "import t from 'tap'\nt.test('good', async (t) => t.pass())\n"
  const reject = "Promise.reject(new Error('stray'))"
  const folder = t.testdir({
    'throwing.ts': `import t from 'tap'\n${slow}\nt.test('after', async (t) => t.pass())\nthrow new Error('late')\n`,
    'nothing.ts': "import t from 'tap'\nt.pass()\nthrow undefined\n",
    'stray.ts': `import t from 'tap'\nt.pass()\n${reject}\n`,
    'later.ts': `import t from 'tap'\nt.pass()\nsetTimeout(() => ${reject}, 300)\n`,
    'empty.ts': "import t from 'tap'\nt.comment('nothing')\n",
    'good.ts': good,
    'better.ts': good
  })
  const lane = new Lane()
  const run = async (name: string) => {
    const { assertions, failed, failures } = await lane.run(join(folder, name))
    return { assertions, failed, failures: failures.join('\n') }
  }
  const passed = { assertions: 1, failed: 0 }
  t.match(await run('stray.ts'), { assertions: 2, failed: 1, failures: /stray/ })
  t.match(await run('good.ts'), passed, 'those behind it run')
  t.match(await run('throwing.ts'), { assertions: 3, failed: 1, failures: /throwing\.ts ended with an error: .*late/ })
  t.match(await run('nothing.ts'), { assertions: 2, failed: 1, failures: /nothing\.ts ended with an error: undefined/ })
  t.match(await run('empty.ts'), { assertions: 1, failed: 1, failures: /empty\.ts asserts nothing/ })
  t.match(await run('better.ts'), passed)
  await lane.end()

  const another = new Lane()
  t.match(await another.run(join(folder, 'later.ts')), passed)
  await sleep(1_000)
  t.match(await another.run(join(folder, 'good.ts')), { failed: 1 }, 'the next one tells of it')
  t.match(await another.run(join(folder, 'good.ts')), passed)
  await another.end()
  const last = new Lane()
  t.match(await last.run(join(folder, 'later.ts')), passed)
  await sleep(1_000)
  await t.rejects(last.end(), /after its tests had passed/)
})
