import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { runScript } from '../../scripts/cluster/program.js'

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

t.test('every script that checks or measures has --help, and refuses words that it does not know', async (t) => {
  const checks = ['breaking', 'check', 'documents', 'faults', 'flows', 'fuzz', 'generate', 'limits']
  const named = [...checks, 'bench', 'cluster', 'stall']
  for (const script of named) {
    const [help, nonsense] = await Promise.all(['--help', '--nonsense'].map((word) => runScript(script, word)))
    t.match(help, { code: 0, stdout: new RegExp(`^Usage: npm run ${script}\\b`), stderr: '' }, `${script} --help`)
    t.match(nonsense, { code: 2, stdout: '', stderr: /Unknown option '--nonsense'[^]*Usage: / }, `${script} --nonsense`)
  }
})

t.test('the commands that run the tests find all of them, with options that tap knows', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [name, environment] of [
    ['test', {}],
    ['test', { CI: 'true' }],
    ['coverage', {}]
  ] as const) {
    const command = scripts[name]!.replace(/^.*\btap\b/, 'npx tap list')
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      cwd: root,
      env: { ...process.env, ...environment }
    })
    t.match(stdout, /^test\/scripts\/commands\.test\.ts$/m, command)
  }
})
