import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folderAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A package of its own: what only thorough tests and checks need is no part of `npm ci`. */
export const TOOLS = folderAt('tools')

/** The page that a thorough test builds, a package of its own too. */
export const WEB = folderAt('test/consumer/web')

/** Gives the place of a copy of the lock file by which the packages of a folder were installed. */
export function installedLockOf (folder: string): string {
  return join(folder, 'node_modules/.installed.json')
}

/** Whether the packages of the lock file of a folder are there, all of them. */
export function isInstalled (folder: string): boolean {
  const installed = installedLockOf(folder)
  return existsSync(installed) && textOf(installed) === textOf(join(folder, 'package-lock.json'))
}

/**
 * Gives the path of a file in `tools/node_modules`, such as `.bin/redocly`.
 * @throws {Error} when the tools are not installed
 */
export function toolPath (name: string): string {
  if (!isInstalled(TOOLS)) throw new Error('The tools of this test are not installed, or are older ones. Run: npm run tools')
  return join(TOOLS, 'node_modules', name)
}

function textOf (file: string): string {
  return readFileSync(file, 'utf8')
}
