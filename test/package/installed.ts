import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { nodeCommand } from '../../scripts/cluster/program.js'
import { packTypes } from '../support/tarball.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const PROJECTS = ['esm', 'cjs', 'bundler']

/** The TypeScript lines of a document, as a person would copy them. */
function linesOf (file: string): string {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]+?)```/g)]
    .map(([, code]) => code)
    .join('\n')
}

/**
 * The consumer as three projects, each with the lines of both documents, and the packed package installed beside
 * openapi-fetch.
 */
export async function install (t: Test): Promise<string> {
  const { folder, tarball } = await packTypes(t)
  t.match(linesOf('docs/api.md'), "from 'petstore-api-types'")
  t.match(readFileSync(join(root, 'docs/api.md'), 'utf8'), `npm install ./${basename(tarball)} openapi-fetch`)
  const projects = ['client.ts', 'claims.ts', 'tsconfig.json', ...PROJECTS]
  for (const name of projects) cpSync(join(root, 'test/consumer', name), join(folder, name), { recursive: true })
  for (const project of PROJECTS) {
    for (const file of ['client.ts', 'claims.ts']) cpSync(join(folder, file), join(folder, project, file))
    writeFileSync(join(folder, project, 'readme.ts'), linesOf('docs/api.md'))
    writeFileSync(join(folder, project, 'manual.ts'), linesOf('generated/README.md'))
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  // Copied from node_modules, so that it needs no network.
  const others = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join(root, 'node_modules', name))
  await run(
    'npm',
    ['install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', tarball, ...others],
    { cwd: folder }
  )
  return folder
}

/** What the compiler says about the projects. */
export async function compile (folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return await run(...nodeCommand([tsc, '-b', ...PROJECTS]), { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout
  )
}
