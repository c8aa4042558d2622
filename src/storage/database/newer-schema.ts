import { StartRefusal } from '../../domain/start-refusal.js'
import { MIGRATIONS } from './migrations.js'

/**
 * Refuses a database whose schema this program does not know, since it could not keep what the newer program promises.
 * @throws {StartRefusal} when its version is newer
 */
export function refuseNewer (name: string, version: number): void {
  if (version <= MIGRATIONS.length) return
  throw new StartRefusal(
    `The database ${name} has the schema version ${version}; this program knows up to ${MIGRATIONS.length}. ` +
      'Start the newer program that wrote it, or restore a backup of before the upgrade.'
  )
}
