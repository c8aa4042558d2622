import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Builds the program as its next version may be, which has one more migration, in a folder of its own, and gives the
 * file to run.
 */
export async function buildNextVersion (folder: string, migration: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'openapi', 'generated']) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/main.ts'],
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
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
