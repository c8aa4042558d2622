import t from 'tap'
import { missingNginx, startBalancer } from '../../scripts/cluster/balancer.js'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { scaledLack } from '../support/databases.js'
import { restartInTurn, restartText } from '../../scripts/cluster/rolling-restart.js'
import { leaveOut } from '../support/user.js'

t.test('servers that are restarted one after the other behind a balancer fail no request', async (t) => {
  const lack = scaledLack ?? missingNginx
  if (lack) return leaveOut(t, lack)
  const cluster = await startCluster(t, { settings: { DRAIN_DELAY: '2', TRUST_PROXY: '127.0.0.1' } })
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  t.teardown(() => balancer.stop())
  const figures = await restartInTurn(cluster, balancer, 1)
  t.comment(restartText(figures))
  t.same(figures.failures, [])
  t.equal(figures.lost, 0)
  t.same(figures.twice, [], 'no write was done twice')
  t.ok(figures.acknowledged > 100)
})
