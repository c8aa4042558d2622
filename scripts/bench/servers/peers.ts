import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Where the peers are, with a lock file of their own. */
export const PEERS_FOLDER = fileURLToPath(new URL('../peers/', import.meta.url))

/** Longest time that the installation may take, in milliseconds. */
const INSTALLATION = 300_000

/** Installs the packages of the peers when they are not there. */
export async function installPeers (): Promise<void> {
  if (existsSync(`${PEERS_FOLDER}node_modules/.package-lock.json`)) return
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS_FOLDER,
    timeout: INSTALLATION
  })
}
