#!/usr/bin/env tsx
// Bundles src/ into dist/, without the packages it depends on. What a subcommand imports when it runs is a file of its
// own, so that each of them loads only what it needs. Types are not looked at; `npm run types` does that.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { BUNDLE } from './build/bundle.js'

/** A file that another build is writing just now, which has the id of its process. */
const UNFINISHED = /\.\d+$/

const folder = join(BUNDLE.absWorkingDir, 'dist')
const { outputFiles } = await build({ ...BUNDLE, outdir: folder, sourcemap: true, write: false })

await mkdir(folder, { recursive: true })
const built = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
// The program comes last: the others have names of their own for each content, so that the old one goes on finding its.
const names = [...built.keys()].filter((name) => name !== 'main.js')
for (const name of [...names, 'main.js']) await replace(join(folder, name), built.get(name)!)
for (const name of await readdir(folder)) {
  if (!built.has(name) && !UNFINISHED.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Leaves a file that is as it should be, and never shows half of one to a program that starts meanwhile. */
async function replace (file: string, contents: Uint8Array): Promise<void> {
  const present = await readFile(file).catch(() => undefined)
  if (present?.equals(contents)) return
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, contents)
  await rename(unfinished, file)
}
