import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { BUNDLE } from '../../scripts/build/bundle.js'

const { absWorkingDir: ROOT } = BUNDLE

/**
 * Builds the program as its next version may be, which has one more migration, in a folder of its own, and gives the
 * file to run.
 */
export async function buildNextVersion (folder: string, migration: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'openapi', 'generated']) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build({
    ...BUNDLE,
    outdir: join(folder, 'dist'),
    plugins: [
      {
        name: 'one-more-migration',
        setup ({ onLoad }) {
          onLoad({ filter: /storage\/database\/migrations\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(/\n\]\n/, `,\n  ${JSON.stringify(migration)}\n]\n`),
            loader: 'ts'
          }))
        }
      }
    ]
  })
  return join(folder, 'dist/main.js')
}
