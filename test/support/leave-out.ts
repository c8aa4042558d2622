import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Leaves a test out for a reason, loudly; on the build server that is a failure. */
export function leaveOut (t: Test, reason: string): void {
  if (process.env.CI === 'true') t.fail(`left out: ${reason}`)
  else t.pass(`LEFT OUT: ${reason}`, { skip: reason })
}

/**
 * A folder that is a disk of its own with so many bytes, until the test ends. Where none can be made the test is left
 * out, loudly, and fails on the build server; undefined then.
 */
export function smallDisk (t: Test, bytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'))
  t.teardown(() => rmdirSync(folder))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    leaveOut(t, `only root can mount a small disk: ${String(error)}`)
    return undefined
  }
  t.teardown(() => {
    execFileSync('umount', ['--lazy', folder])
  })
  return folder
}
