import t from 'tap'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { hangUp, percentile, send, tally } from '../../scripts/cluster/load.js'
import { harmPostgres, postgresText } from '../../scripts/cluster/postgres-faults.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'

t.test(
  'PostgreSQL killed and frozen while three servers add pets: nothing acknowledged is lost, and all go on by themselves',
  async (t) => {
    if (missingScaled) return leaveOut(t, missingScaled)
    const cluster = await startCluster(t)
    t.teardown(hangUp)
    for (const { stderr } of cluster.servers) {
      t.notMatch(
        stderr(),
        /pet_(test|live)_/,
        'three that start at once on an empty database make no keys for development'
      )
      t.match(stderr(), 'keys create makes one')
    }
    const processes = cluster.servers.map(({ child }) => child.pid)
    const figures = await harmPostgres(cluster, 4)
    t.comment(postgresText(figures))
    t.equal(figures.lost, 0, 'acknowledged pets lost')
    t.ok(figures.acknowledged > 100)
    t.same(figures.twice, [], 'no write was done twice')
    t.same(Object.keys(tally(figures.answers)), ['201', '503'], 'nothing else was answered')
    t.equal(figures.malformed, 0, 'every 503 is an Error with Retry-After')
    t.ok(percentile(figures.answers, 100) <= 3_000, 'no answer later than 3 s')
    t.ok(Math.max(...figures.recoveries) <= 2_000, 'recovery within 2 s')
    t.same(
      cluster.servers.map(({ child }) => child.exitCode === null && child.pid),
      processes,
      'the same processes'
    )
    for (const { root } of cluster.servers) t.equal((await send(`${root}/readyz`)).status, 200)
  }
)
