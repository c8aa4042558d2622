import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import t from 'tap'
import { nodeCommand } from '../scripts/cluster/program.js'
import { toolPath } from '../scripts/tools/folder.js'
import { startService } from './support/service.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The program of each generator, and the arguments by which it finds its configuration. */
const GENERATORS: Record<string, [file: string, ...args: string[]]> = {
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '--file', 'openapi-ts.config.mjs'],
  orval: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
  kubb: ['@kubb/cli/bin/kubb.cjs', 'generate', '--config', 'kubb.config.mjs']
}

/** The configurations that the documents show, by their file names, for a service at another address. */
function configurations (address: string): [name: string, text: string][] {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8').replaceAll('http://127.0.0.1:3000', address)
  return [...text.matchAll(/```js\n\/\/ (\S+\.config\.mjs)\n([\s\S]+?)```/g)].map(([, name, code]) => [name!, code!])
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-generators-'))
t.teardown(() => rmSync(folder, { recursive: true }))
symlinkSync(toolPath(''), join(folder, 'node_modules'))
cpSync(join(root, 'test/consumer/generators'), folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')

async function run (file: string, ...args: string[]): Promise<string> {
  const ran = promisify(execFile)(...nodeCommand([file, ...args]), { cwd: folder, env: { ...process.env, CI: '1', DO_NOT_TRACK: '1' } })
  return await ran.then(
    () => '',
    ({ stdout, stderr }) => stdout + stderr
  )
}

for (const [name, [program, ...args]] of Object.entries(GENERATORS)) {
  t.test(`${name} makes a client of the served document that compiles, adds and pages`, async (t) => {
    const { root: address, key } = await startService(t)
    for (const [file, text] of configurations(address)) writeFileSync(join(folder, file), text)
    t.equal(await run(toolPath(program), ...args), '', 'it is made')

    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify({ extends: './tsconfig.json', files: [`${name}.ts`] }))
    t.equal(await run(tsc, '--project', `tsconfig.${name}.json`), '', 'it compiles strictly')

    const outfile = join(folder, `${name}.mjs`)
    const contents = `export { shopOf } from './${name}.ts'\nexport { addAndPage } from './shop.ts'`
    await build({ stdin: { contents, resolveDir: folder }, bundle: true, format: 'esm', outfile, logLevel: 'error' })
    const { addAndPage, shopOf } = await import(pathToFileURL(outfile).href)
    t.same(await addAndPage(shopOf(`${address}/v1`, key), ['Rex', 'Ada', 'Tom']), {
      ids: [1, 2, 3],
      pages: [['Rex', 'Ada'], ['Tom']],
      refused: 'bad_request'
    })
    t.match(await shopOf(`${address}/v1`, 'wrong').page(2), { code: 'unauthorized' })
  })
}
