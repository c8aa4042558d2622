import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { ordinaryUser } from '../../scripts/cluster/user.js'
import { readPackageFile } from '../../src/cli/files/package-file.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PARTS = ['dist', 'openapi', 'generated', 'package.json']

/** A folder with the built program, as it is installed: no other package.json is above it. A test can spoil it. */
function installed (t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-installed-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/**
 * Does something as a user whom the modes of files bind. Nothing is loaded meanwhile: such a user may be unable to walk
 * to the packages, as in a clone below a folder of root's own.
 */
function asOrdinaryUser (act: () => unknown): void {
  const { uid } = ordinaryUser
  if (uid !== undefined) process.seteuid!(uid)
  try {
    act()
  } finally {
    if (uid !== undefined) process.seteuid!(0)
  }
}

/** Runs the program of a folder, whose HOST is none of this machine: what gets as far as that ends there. */
function run (folder: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/main.js', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOST: '192.0.2.1', DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, ...env },
    encoding: 'utf8'
  })
  return { code: status, stdout, stderr }
}

t.test('a file of the program that is missing is told in a sentence that names it, with exit code 78', async (t) => {
  for (const [name, commands] of [
    ['package.json', [['serve'], ['mock'], ['keys', 'list'], ['--version']]],
    ['openapi/petstore.yaml', [['serve'], ['mock']]],
    ['openapi/guide.md', [['serve'], ['mock']]],
    ['generated/petstore.d.ts', [['serve'], ['mock']]]
  ] as const) {
    await t.test(name, async (t) => {
      const folder = installed(t)
      rmSync(join(folder, name))
      for (const args of commands) {
        const { code, stdout, stderr } = run(folder, [...args])
        t.same({ code, stdout }, { code: 78, stdout: '' }, args.join(' '))
        t.ok(stderr.startsWith('petstore: The file ') && stderr.includes(name) && stderr.includes(folder), stderr)
        t.match(stderr, / is missing[^]*\. Install the program again: [^\n]+\n$/)
      }
    })
  }
})

t.test('a file of the program that may not be read is told too', async (t) => {
  const folder = installed(t)
  chmodSync(join(folder, 'openapi/petstore.yaml'), 0o000)
  const read = () => readPackageFile('openapi/petstore.yaml', pathToFileURL(`${folder}/`))
  t.throws(() => asOrdinaryUser(read), {
    exitCode: 78,
    message: /petstore\.yaml cannot be read \(EACCES\)\. Install the program again/
  })
})

t.test('the types and the guide are not needed where no page serves them', async (t) => {
  const folder = installed(t)
  for (const name of ['generated/petstore.d.ts', 'openapi/guide.md']) rmSync(join(folder, name))
  t.match(run(folder, ['mock'], { DOCS: 'off', LOG_LEVEL: 'silent' }).stderr, 'Cannot listen on 192.0.2.1')
})
