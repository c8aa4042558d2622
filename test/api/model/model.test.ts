import t from 'tap'
import { BAN_GRACE } from '../../../src/domain/bans.js'
import { MINUTE } from '../../../src/domain/windows.js'
import { startService } from '../../support/service.js'
import { doesAsTheShop } from './history.js'
import { openBeside } from './subject.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 40)
/** The calls that a guest has in a minute; the clock stands still meanwhile. */
const GUEST_CALLS = 4

t.test(`the service does as a short model does, in ${RUNS} random histories of calls at once`, async (t) => {
  const { call, url, makeKey, clock, repositories } = await startService(t)
  /** A guest whose first refusal of the minute was a second ago, so that the following ones count towards a ban. */
  const makeGuest = async () => {
    clock.advance(MINUTE - (clock.now() % MINUTE))
    const guest = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1_000 })
    for (let time = 0; time < 2; time++) await call('GET', '/pets', { key: guest.secret })
    clock.advance(BAN_GRACE)
    const quota = { perMinute: 1 + GUEST_CALLS, perDay: 1_000 }
    await repositories.apiKeys.change(guest.id, { plan: 'enterprise', quota })
    return guest
  }
  const beside = await openBeside(t, url)
  const { calls, kept } = await doesAsTheShop(
    { ...beside, servers: [call], makeGuest, guestCalls: GUEST_CALLS },
    RUNS
  )
  t.comment(`${RUNS} histories, ${calls} calls, ${kept} of them answered with 304, 0 differences`)
})
