import t from 'tap'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { UNLIMITED } from '../../scripts/cluster/load.js'
import { doesAsTheShop } from '../api/model/history.js'
import { openBeside } from '../api/model/subject.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'
import { sendTo, type Service } from '../support/service.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 100)

t.test(
  `three servers do together as a short model of one shop does, in ${RUNS} random histories of calls at once`,
  async (t) => {
    if (missingScaled) return leaveOut(t, missingScaled)
    const { servers, environment, makeKey } = await startCluster(t)
    const { secret } = await makeKey(UNLIMITED)
    const calls = servers.map(({ root }): Service['call'] => {
      const send = sendTo(`${root}/v1`)
      return (method, path, call) => send(method, path, { key: secret, ...call })
    })
    const beside = await openBeside(t, environment.DATABASE_URL!)
    const made = await doesAsTheShop(
      // Here time goes on, so no guest comes to its limit.
      { ...beside, servers: calls, makeGuest: () => makeKey(UNLIMITED), guestCalls: Infinity },
      RUNS
    )
    t.comment(`${RUNS} histories, ${made.calls} calls, ${made.kept} of them answered with 304, 0 differences`)
  }
)
