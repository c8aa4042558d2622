import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** How esbuild makes the program of `src/`, without the packages that it depends on. */
export const BUNDLE = {
  absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
  entryPoints: ['src/main.ts'],
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19'
} satisfies BuildOptions
