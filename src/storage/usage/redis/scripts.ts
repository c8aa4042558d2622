import { BAN_GRACE } from '../../../domain/bans.js'
import { DAY, MINUTE } from '../../../domain/windows.js'

/** How long a server that is not heard of still counts as one, in milliseconds. */
const PRESENCE = 3_000

const TIME = `
  local function time ()
    local parts = redis.call('TIME')
    return parts[1] * 1000 + math.floor(parts[2] / 1000)
  end`

/**
 * The counters of a key are a hash: the start of each window in milliseconds since 1970, what was used in it, the
 * strikes of the minute and when its first refusal was (domain/bans), and the run of Redis that they were last written
 * in. One of another run may be older than what was used, as after a restart or where a replica took over; the caller
 * names the run that it asks. The scripts run one at a time, and on Redis' own clock, so that all servers agree; a
 * window that lies in the future, as after that clock was set back, becomes the current one, so that what was used
 * stays used.
 */
const COUNTERS = `${TIME}
  local now = tonumber(ARGV[1]) or time()
  local run = ARGV[2]
  local minute, day = now - now % ${MINUTE}, now - now % ${DAY}
  local stored = redis.call('HMGET', KEYS[1], 'run', 'minute', 'minuteUsed', 'day', 'dayUsed', 'strikes', 'limitedAt')
  local minuteUsed, dayUsed, strikes, limitedAt = 0, 0, 0, 0
  local sameDay = stored[4] and tonumber(stored[4]) >= day
  if stored[2] and tonumber(stored[2]) >= minute then
    minuteUsed, strikes = tonumber(stored[3]), tonumber(stored[6])
    -- A server of the version before leaves that of an earlier minute there.
    local at = math.min(tonumber(stored[7] or 0), now)
    if at >= minute then limitedAt = at end
  end
  if sameDay then dayUsed = tonumber(stored[5]) end
  local function store ()
    if not sameDay then redis.call('DEL', KEYS[1]) end
    redis.call('HSET', KEYS[1], 'run', run, 'strikes', strikes, 'limitedAt', limitedAt,
      'minute', minute, 'minuteUsed', minuteUsed, 'day', day, 'dayUsed', dayUsed)
    redis.call('PEXPIRE', KEYS[1], day + ${DAY} - now + ${MINUTE})
  end`

/**
 * Decides both windows and counts the request in both or in neither (domain/usage). Nothing when it has no counters of
 * this key from this run.
 */
export const CHARGE = `${COUNTERS}
  if stored[1] ~= run then return false end
  local perMinute, perDay, bannedUntil = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
  local reply = { now, minuteUsed, dayUsed, strikes }
  if bannedUntil > now then return reply end
  if minuteUsed < perMinute and dayUsed < perDay then
    minuteUsed, dayUsed = minuteUsed + 1, dayUsed + 1
  else
    if limitedAt == 0 then limitedAt = now end
    if now - limitedAt >= ${BAN_GRACE} then strikes = strikes + 1 end
    reply[4] = strikes
  end
  store()
  return reply`

/**
 * Raises the counters to what a server knows of them, then adds the requests that it admitted by itself: of each report
 * only those that are not counted yet, because a report may come again, also with more requests. Windows that are over
 * do not matter.
 */
export const REPORT = `${COUNTERS}
  local reports = {}
  local function raised (used, window, start, known, unreported, reportId)
    if tonumber(start) < window then return used end
    used = math.max(used, tonumber(known))
    if unreported == '0' then return used end
    reports[reportId] = unreported
    return used + unreported - (redis.call('HGET', KEYS[1], reportId) or 0)
  end
  minuteUsed = raised(minuteUsed, minute, unpack(ARGV, 3, 6))
  dayUsed = raised(dayUsed, day, unpack(ARGV, 7, 10))
  store()
  for reportId, count in pairs(reports) do redis.call('HSET', KEYS[1], reportId, count) end
  return { now, minuteUsed, dayUsed, strikes }`

/** Notes that a server is there. Returns how many there are, and its rank among them from 0. */
export const HEARTBEAT = `${TIME}
  local now = time()
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${PRESENCE})
  redis.call('PEXPIRE', KEYS[1], ${PRESENCE})
  local servers = redis.call('ZRANGE', KEYS[1], 0, -1)
  table.sort(servers)
  for rank, server in ipairs(servers) do
    if server == ARGV[1] then return { #servers, rank - 1 } end
  end`
