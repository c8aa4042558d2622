import fc from 'fast-check'
import t from 'tap'
import { decide } from '../../../src/domain/usage.js'
import { MINUTE, windowStart } from '../../../src/domain/windows.js'
import { LocalUsage, shareOf, type Reading } from '../../../src/storage/usage/local.js'
import { LENGTHS, WINDOWS, type Counts, type WindowName } from '../../../src/storage/usage/table.js'

const now = Date.parse('2026-03-04T10:20:00Z')

t.test('the shares of all servers add up to the whole', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 50 }), (amount, servers) => {
      const shares = Array.from({ length: servers }, (_, rank) => shareOf(amount, { servers, rank }))
      return shares.reduce((sum, share) => sum + share, 0) === amount && Math.max(...shares) - Math.min(...shares) <= 1
    })
  )
  t.pass()
})

t.test(
  'a server by itself admits its share of what was left when it last knew, and shows the limit of the plan',
  async (t) => {
    const usage = new LocalUsage()
    const key = { id: 'key_1', quota: { perMinute: 30, perDay: 1_000 } }
    usage.noteCharged('key_1', { at: now, used: { minute: 8, day: 500 }, strikes: 0 }, true)
    const decisions = Array.from({ length: 9 }, () => usage.charge(key, now, { servers: 3, rank: 1 }).decision)
    t.same(
      decisions.map(({ verdict }) => verdict === 'admitted'),
      [true, true, true, true, true, true, true, false, false],
      'a third of 21'
    )
    t.match(decisions[0], { limit: 30, remaining: 6 })
    t.match(
      usage.charge(key, now + 60_000, { servers: 3, rank: 1 }).decision,
      { verdict: 'admitted', limit: 30, remaining: 9 },
      'a third of the next minute'
    )
  }
)

type Event =
  | { kind: 'hit'; server: number; key: number; times: number }
  | { kind: 'cut' | 'save' | 'stop' | 'kill'; server: number }
  | { kind: 'restart'; memory: 'kept' | 'old' | 'none' }
  | { kind: 'back'; servers: boolean[] }
  | { kind: 'tick' | 'dump' }

const server = fc.integer({ min: 0, max: 2 })
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      kind: fc.constant('hit' as const),
      server,
      key: fc.integer({ min: 0, max: 1 }),
      times: fc.integer({ min: 1, max: 10 })
    })
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'save' as const), server }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stop' as const, 'kill' as const), server }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      memory: fc.constantFrom('kept' as const, 'old' as const, 'none' as const)
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('back' as const),
      servers: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('tick' as const, 'dump' as const) }) }
)

/** What Redis and the database do for the counters, as short as it can be said. */
class Outside {
  now = now
  run = 0
  hashes = new Map<string, { run: number; counts: Counts; told: Record<string, number> }>()
  dump = this.hashes
  table = new Map<string, Counts>()

  countsOf (of: Counts | undefined): Counts {
    const counted = (name: WindowName) => ({
      start: windowStart(this.now, LENGTHS[name]),
      used: of?.[name].start === windowStart(this.now, LENGTHS[name]) ? of[name].used : 0
    })
    return { minute: counted('minute'), day: counted('day') }
  }

  reading (keyId: string): Reading {
    const { minute, day } = this.countsOf(this.hashes.get(keyId)?.counts)
    return { at: this.now, used: { minute: minute.used, day: day.used }, strikes: 0 }
  }

  report (keyId: string, local: LocalUsage, admissions = false): void {
    local.noteSaved(keyId, this.now, this.countsOf(this.table.get(keyId)))
    const report = local.reportOf(keyId, this.now, { admissions })
    const { counts, told = {} } = { ...this.hashes.get(keyId) }
    const raised = this.countsOf(counts)
    for (const name of WINDOWS) {
      const { used, unreported, reportId } = report[name]
      raised[name].used = Math.max(raised[name].used, used) + unreported - (told[reportId] ?? 0)
    }
    this.hashes.set(keyId, {
      run: this.run,
      counts: raised,
      told: {
        ...told,
        [report.minute.reportId]: report.minute.unreported,
        [report.day.reportId]: report.day.unreported
      }
    })
    local.noteReported(keyId, report, this.reading(keyId))
  }

  save (local: LocalUsage, end: boolean): void {
    for (const [keyId, counts] of local.takeUnsaved(this.now, { end })) {
      const stored = this.countsOf(this.table.get(keyId))
      for (const name of WINDOWS) {
        if (counts[name].start === stored[name].start) {
          stored[name].used = Math.max(stored[name].used, counts[name].used)
        }
      }
      this.table.set(keyId, stored)
    }
  }
}

t.test(
  'however Redis, its memory and single servers come and go, no window sees more than twice the limit, and when all are back Redis has counted each request once',
  async (t) => {
    let most = 0
    let compared = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.array(event, { maxLength: 80 }),
        (perMinute, more, events) => {
          const keys = ['key_1', 'key_2'].map((id) => ({ id, quota: { perMinute, perDay: perMinute + more } }))
          const outside = new Outside()
          const begun = () => ({
            local: new LocalUsage(),
            exact: true,
            up: true,
            loaded: new Set<string>(),
            unsaved: new Map<string, number>()
          })
          const servers = [begun(), begun(), begun()]
          /**
           * Of each window of each key, what was admitted; and what a server that ended had admitted and did not get to
           * tell.
           */
          const admitted = new Map<string, number>()
          const untold = new Map<string, number>()
          const namesOf = (keyId: string) =>
            WINDOWS.map((name) => `${keyId} ${name} ${windowStart(outside.now, LENGTHS[name])}`)
          const add = (to: Map<string, number>, name: string, count: number) =>
            to.set(name, (to.get(name) ?? 0) + count)
          const lose = (index: number): void => {
            if (servers[index]!.exact) servers[index]!.loaded.clear()
            servers[index]!.exact = false
          }
          const restore = (index: number): void => {
            const { local } = servers[index]!
            for (const keyId of local.keysToRestore()) outside.report(keyId, local)
            for (const keyId of local.unreportedKeys()) outside.report(keyId, local, true)
          }
          for (const event of events) {
            switch (event.kind) {
              case 'cut':
                lose(event.server)
                break
              case 'save': {
                const { local, unsaved } = servers[event.server]!
                outside.save(local, false)
                if (local.unreportedKeys().length === 0) unsaved.clear()
                break
              }
              case 'tick':
                outside.now += MINUTE
                break
              case 'dump':
                outside.dump = structuredClone(outside.hashes)
                break
              case 'restart':
                outside.run++
                if (event.memory === 'none') outside.hashes = new Map()
                if (event.memory === 'old') outside.hashes = structuredClone(outside.dump)
                // All lose it, and none goes by it again before all have told what they know.
                for (const index of servers.keys()) lose(index)
                for (const { local } of servers) for (const keyId of local.keysToRestore()) outside.report(keyId, local)
                break
              case 'back':
                for (const [index, back] of event.servers.entries()) {
                  if (!back) continue
                  restore(index)
                  servers[index]!.exact = servers[index]!.up = true
                }
                break
              case 'stop':
              case 'kill': {
                const { local, exact, unsaved, up } = servers[event.server]!
                if (!up) break
                if (event.kind === 'stop') outside.save(local, true)
                for (const [name, count] of unsaved) add(untold, name, count)
                // None starts without Redis.
                servers[event.server] = { ...begun(), exact, up: exact }
                break
              }
              case 'hit':
                for (let time = 0; time < event.times; time++) {
                  const { local, exact, up, loaded, unsaved } = servers[event.server]!
                  const key = keys[event.key]!
                  if (!up) break
                  let verdict: string
                  if (exact) {
                    if (outside.hashes.get(key.id)?.run !== outside.run) outside.report(key.id, local)
                    const charged = outside.reading(key.id)
                    verdict = decide(key, charged.used, outside.now).verdict
                    if (verdict === 'admitted') {
                      for (const name of WINDOWS) {
                        outside.hashes.get(key.id)!.counts = {
                          ...outside.countsOf(outside.hashes.get(key.id)!.counts),
                          [name]: { start: windowStart(outside.now, LENGTHS[name]), used: charged.used[name] + 1 }
                        }
                      }
                    }
                    local.noteCharged(key.id, charged, verdict === 'admitted')
                  } else {
                    if (!loaded.has(key.id)) {
                      local.noteSaved(key.id, outside.now, outside.countsOf(outside.table.get(key.id)))
                    }
                    loaded.add(key.id)
                    verdict = local.charge(key, outside.now, { servers: 3, rank: event.server }).decision.verdict
                  }
                  if (verdict === 'admitted') {
                    for (const name of namesOf(key.id)) {
                      add(admitted, name, 1)
                      add(unsaved, name, 1)
                    }
                  }
                }
            }
          }
          for (const index of servers.keys()) restore(index)
          for (const key of keys) {
            for (const [index, name] of namesOf(key.id).entries()) {
              const window = WINDOWS[index]!
              if (untold.has(name) || !admitted.has(name)) continue
              compared++
              if (outside.hashes.get(key.id)?.run !== outside.run) outside.report(key.id, servers[0]!.local)
              const counted = outside.reading(key.id).used[window]
              if (counted !== admitted.get(name)) {
                throw new Error(`${counted} counted of ${admitted.get(name)} in ${name}`)
              }
            }
          }
          for (const [name, count] of admitted) {
            const limit = name.includes('minute') ? perMinute : perMinute + more
            const known = count - (untold.get(name) ?? 0)
            most = Math.max(most, known / limit)
            if (known > 2 * limit) throw new Error(`${known} admitted of ${limit} in ${name}`)
          }
        }
      ),
      { numRuns: 5_000 }
    )
    t.comment(`at most ${most.toFixed(2)} times the limit; ${compared} windows counted exactly`)
  }
)
