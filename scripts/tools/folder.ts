import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package of its own: what only thorough tests and checks need is no part of `npm ci`. */
export const TOOLS = fileURLToPath(new URL('../../tools', import.meta.url))

/** A copy of the lock file that its packages were installed by. */
export const INSTALLED = join(TOOLS, 'node_modules/.installed.json')

/** Whether the packages of the lock file are there, all of them. */
export function isInstalled (): boolean {
  return existsSync(INSTALLED) && textOf(INSTALLED) === textOf(join(TOOLS, 'package-lock.json'))
}

/**
 * Gives the path of a file in `tools/node_modules`, such as `.bin/redocly`.
 * @throws {Error} when the tools are not installed
 */
export function toolPath (name: string): string {
  if (!isInstalled()) throw new Error('The tools of this test are not installed, or are older ones. Run: npm run tools')
  return join(TOOLS, 'node_modules', name)
}

function textOf (file: string): string {
  return readFileSync(file, 'utf8')
}
