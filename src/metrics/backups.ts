import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { Clock } from '../domain/clock.js'
import { collectedGauge } from './collected.js'

/** A file that is hidden, or of a backup that is being made. */
const UNFINISHED = /^\.|\.new$|-(wal|shm|journal)$/

/** Shows how old the newest backup is: the file at the path, or the newest file of the folder there. */
export function showBackupAge (registry: Registry, path: string, clock: Clock): void {
  collectedGauge(registry, {
    name: 'petstore_backup_age_seconds',
    help: 'Age of the newest backup at BACKUP_PATH. Not shown while there is none.',
    async read () {
      const newest = await newestChange(path).catch(() => undefined)
      return newest === undefined ? [] : [[{}, Math.max(0, (clock.now() - newest) / 1000)]]
    }
  })
}

/** Gives when the newest backup was written, in milliseconds since 1970; undefined where there is none. */
async function newestChange (path: string): Promise<number | undefined> {
  const found = await stat(path)
  if (!found.isDirectory()) return found.mtimeMs
  const names = (await readdir(path)).filter((name) => !UNFINISHED.test(name))
  const files = (await Promise.all(names.map((name) => stat(join(path, name))))).filter((file) => file.isFile())
  return files.length === 0 ? undefined : Math.max(...files.map(({ mtimeMs }) => mtimeMs))
}
