import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const generated = fileURLToPath(new URL('../../generated', import.meta.url))

/** The generated package as npm packs it, in a folder of its own until the test ends. */
export async function packTypes (t: Test): Promise<{ folder: string; tarball: string; files: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-types-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const { stdout } = await promisify(execFile)('npm', ['pack', generated, '--json', '--pack-destination', folder])
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  return { folder, tarball: join(folder, filename), files: files.map(({ path }) => path) }
}
