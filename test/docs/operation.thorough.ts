import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { nodeCommand } from '../../scripts/cluster/program.js'
import { blocksOf, ROOT, sectionOf, textOf } from '../support/documents.js'

const guide = sectionOf(textOf('CONTRIBUTING.md'), 'How to add an operation')

interface Change {
  path: string
  /** `diff`, or the language of lines that are added to the end of the file. */
  language: string
  code: string
}

/** Makes the change that a diff shows to the one place of a text that it fits. */
function patch (text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1)
  const side = (sign: string) =>
    lines
      .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n')
  const places = text.split(side('-'))
  if (places.length !== 2) throw new Error(`${places.length - 1} places fit this diff:\n${diff}`)
  return places.join(side('+'))
}

/** Each block of the guide that changes a file, with the path of the file that was named before it. */
function changesOf (text: string): Change[] {
  const changes: Change[] = []
  let path = ''
  for (const [, named, language, code] of text.matchAll(/\bIn\s`([^`]+)`:|^```(diff|ts)\n([^]*?)^```$/gm)) {
    if (named === undefined) changes.push({ path, language: language!, code: code! })
    else path = named
  }
  return changes
}

t.test('the operation that the guide adds compiles, starts and passes its test, and half of it does not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const name of ['src', 'generated', 'openapi', 'scripts', 'test', 'package.json', 'tsconfig.json', 'LICENSE']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const test = 'test/api/operations/categories.test.ts'
  const project = { extends: './tsconfig.json', include: ['src', 'generated', test] }
  writeFileSync(join(folder, 'tsconfig.guide.json'), JSON.stringify(project))

  const run = async (...args: string[]) => {
    const options = { cwd: folder, env: { ...process.env, PORT: '0', DATABASE_URL: '' }, timeout: 300_000 }
    const ended = promisify(execFile)(...nodeCommand(args), options)
    return await ended.then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` })
    )
  }
  const checkTypes = async () => await run('node_modules/typescript/bin/tsc', '--incremental', '-p', 'tsconfig.guide.json')
  const make = ({ path, language, code }: Change) => {
    const before = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(folder, path), language === 'diff' ? patch(before, code) : `${before}\n${code}`)
  }
  const [toDocument, ...toCode] = changesOf(guide)
  t.equal(toCode.length, 6)

  const document = join(folder, 'openapi/petstore.yaml')
  const whole = readFileSync(document, 'utf8')
  writeFileSync(document, whole.replace('schemas/Pet\'', 'schemas/Pett\''))
  const broken = await run('--import=tsx', 'scripts/generate.ts')
  t.match(broken, { code: 1, output: /^openapi\/petstore\.yaml: \S/ }, 'a broken document is told of')
  t.notMatch(broken.output, /^ +at /m, 'without a stack')
  writeFileSync(document, whole)
  make(toDocument!)
  t.match(await run('--import=tsx', 'scripts/generate.ts'), { code: 0 })
  const [missing = '', refusal] = blocksOf(guide, '')
  const { output } = await checkTypes()
  for (const part of missing.trim().split(' … ')) t.match(output, part, 'the compiler names what is missing')
  t.match(await run('--import=tsx', 'src/main.ts'), { code: 78, output: refusal! }, 'it does not start')

  for (const change of toCode) make(change)
  t.same(await checkTypes(), { code: 0, output: '' })
  t.match(await run('--import=tsx', test), { code: 0 })
})
