import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { MAIN, nodeCommand } from '../../scripts/cluster/program.js'

const dist = join(MAIN, '..')
const build = () => promisify(execFile)(...nodeCommand(['--import', 'tsx', join(dist, '../scripts/build.ts')]))

t.test('a build leaves files as they are that are right, and removes those of an older one', async (t) => {
  await build()
  const before = readdirSync(dist).map((name) => [name, statSync(join(dist, name)).mtimeMs])
  mkdirSync(join(dist, 'old'))
  writeFileSync(join(dist, 'old/main.js'), '')
  writeFileSync(join(dist, 'chunk-OLD.js'), '')
  await build()
  t.same(
    readdirSync(dist).map((name) => [name, statSync(join(dist, name)).mtimeMs]),
    before
  )
})

t.test('builds at the same time do not disturb each other', async (t) => {
  const ended = await Promise.all([build(), build(), build()])
  t.same(ended, Array(3).fill({ stdout: '', stderr: '' }))
})

t.test('a subcommand loads no package before it needs it', async (t) => {
  const loaded = new Set<string>()
  const files = ['main.js']
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, name] of text.matchAll(/^(?:import|export|\}).*? from "(.+)";$/gm)) {
      if (!name!.startsWith('.')) loaded.add(name!)
      else if (!files.includes(name!.slice(2))) files.push(name!.slice(2))
    }
  }
  const packages = [...loaded].filter((name) => !name.startsWith('node:'))
  t.same(packages.sort(), ['@photostructure/sqlite', 'commander', 'envalid'])
})
