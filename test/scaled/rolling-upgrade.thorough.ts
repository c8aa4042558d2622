import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { missingNginx, startBalancer } from '../../scripts/cluster/balancer.js'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { ask } from '../../scripts/cluster/postgres.js'
import { runProgram } from '../../scripts/cluster/program.js'
import { restartInTurn, restartText } from '../../scripts/cluster/rolling-restart.js'
import { MIGRATIONS } from '../../src/storage/database/migrations.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'
import { buildNextVersion } from './next-version.js'

/** What a version may add while servers of the one before go on: columns, tables and indexes. */
const MIGRATION = `
  ALTER TABLE pets ADD COLUMN note TEXT;
  ALTER TABLE api_keys ADD COLUMN owner TEXT NOT NULL DEFAULT 'nobody';
  CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, pet_id INTEGER NOT NULL REFERENCES pets (id)) STRICT;
  CREATE INDEX pets_by_name ON pets (name);
`

t.test('servers that are replaced one after the other by those of a newer schema fail no request', async (t) => {
  const missing = missingScaled ?? missingNginx
  if (missing) return leaveOut(t, missing)
  const folder = mkdtempSync(join(tmpdir(), 'petstore-next-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const next = await buildNextVersion(join(folder, 'next'), MIGRATION)
  const cluster = await startCluster(t, { settings: { DRAIN_DELAY: '2', TRUST_PROXY: '127.0.0.1' } })
  const { environment } = cluster
  await runProgram(['seed', '--pets', '20000'], environment)
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  t.teardown(() => balancer.stop())
  const versions = async () => (await ask(environment.DATABASE_URL!, 'SELECT max(version)::int AS version FROM petstore_migrations'))[0]!.version
  t.equal(await versions(), MIGRATIONS.length)

  const seen: unknown[] = []
  const upgrading = {
    ...cluster,
    async restart (index: number) {
      await cluster.restart(index, next)
      seen.push(await versions())
    }
  }
  const figures = await restartInTurn(upgrading, balancer, 1)
  t.comment(restartText(figures))
  t.same(seen, cluster.servers.map(() => MIGRATIONS.length + 1), 'the first one has changed the schema; the others went on')
  t.same(figures.failures, [])
  t.equal(figures.lost, 0)
  t.same(figures.twice, [], 'no write was done twice')
  t.ok(figures.acknowledged > 100)

  const { code, stderr } = await runProgram(['keys', 'list'], environment)
  t.equal(code, 78, 'a program of the version before that starts now is refused')
  t.match(
    stderr,
    new RegExp(
      `has the schema version ${MIGRATIONS.length + 1}; this program knows up to ${MIGRATIONS.length}\\. ` +
        'Start the newer program that wrote it, or restore a backup of before the upgrade\\.\\n$'
    )
  )
})
