import t from 'tap'
import { startService } from '../../support/service.js'
import { doesAsTheShop } from './history.js'
import { openBeside } from './subject.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 40)
/** The calls that a guest has in a minute; the clock stands still. */
const GUEST_CALLS = 4

t.test(`the service does as a short model does, in ${RUNS} random histories of calls at once`, async (t) => {
  const { call, url, makeKey } = await startService(t)
  const makeGuest = () => makeKey({ plan: 'enterprise', perMinute: GUEST_CALLS, perDay: 1_000 })
  const beside = await openBeside(t, url)
  const { calls, kept } = await doesAsTheShop(
    { ...beside, servers: [call], makeGuest, guestCalls: GUEST_CALLS },
    RUNS
  )
  t.comment(`${RUNS} histories, ${calls} calls, ${kept} of them answered with 304, 0 differences`)
})
