import { DAY, MINUTE, decide, windowStart, type Count, type UsageRepository } from '../domain/usage.js'

/** Counters in the memory of this process: as many as there are keys in use. */
export function memoryUsage (): UsageRepository {
  const counts = new Map<string, { minute: Count, day: Count }>()
  return {
    async charge (keyId, quota, now) {
      const before = counts.get(keyId)
      const minute = current(before?.minute, now, MINUTE)
      const day = current(before?.day, now, DAY)
      const decision = decide({ minute: minute.used, day: day.used }, quota, now)
      if (decision.admitted) {
        minute.used++
        day.used++
      }
      counts.set(keyId, { minute, day })
      return decision
    }
  }
}

function current (count: Count | undefined, now: number, length: number): Count {
  const start = windowStart(now, length)
  return count?.start === start ? count : { start, used: 0 }
}
