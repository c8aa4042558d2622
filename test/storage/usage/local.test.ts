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

/** One of the servers, as its tests see it. */
class Server {
  readonly local = new LocalUsage()
  readonly loaded = new Set<string>()
  /** What was admitted since the database was told last, by window of a key. */
  readonly unsaved = new Map<string, number>()
  exact = true
  up = true

  lose (): void {
    if (this.exact) this.loaded.clear()
    this.exact = false
  }
}

interface Key {
  id: string
  quota: { perMinute: number; perDay: number }
}

/** Three servers with their Redis and database, to which events happen. */
class World {
  readonly outside = new Outside()
  readonly servers = [new Server(), new Server(), new Server()]
  readonly #keys: Key[]
  /**
   * Of each window of each key, what was admitted; and what a server that ended had admitted and did not get to tell.
   */
  readonly admitted = new Map<string, number>()
  readonly untold = new Map<string, number>()

  constructor (keys: Key[]) {
    this.#keys = keys
  }

  namesOf (keyId: string): string[] {
    return WINDOWS.map((name) => `${keyId} ${name} ${windowStart(this.outside.now, LENGTHS[name])}`)
  }

  /** The server reports to Redis all that it knows. */
  reportAll ({ local }: Server): void {
    for (const keyId of local.keysToRestore()) this.outside.report(keyId, local)
    for (const keyId of local.unreportedKeys()) this.outside.report(keyId, local, true)
  }

  happen (event: Event): void {
    const { outside, servers } = this
    switch (event.kind) {
      case 'cut':
        return servers[event.server]!.lose()
      case 'save':
        return this.#save(servers[event.server]!)
      case 'tick':
        outside.now += MINUTE
        return
      case 'dump':
        outside.dump = structuredClone(outside.hashes)
        return
      case 'restart':
        return this.#restartRedis(event.memory)
      case 'back':
        return this.#comeBack(servers.filter((_, index) => event.servers[index]))
      case 'stop':
      case 'kill':
        return this.#end(event.server, event.kind)
      case 'hit':
        for (let time = 0; time < event.times; time++) this.#hit(event.server, this.#keys[event.key]!)
    }
  }

  #save ({ local, unsaved }: Server): void {
    this.outside.save(local, false)
    if (local.unreportedKeys().length === 0) unsaved.clear()
  }

  #restartRedis (memory: 'kept' | 'old' | 'none'): void {
    const { outside, servers } = this
    outside.run++
    if (memory === 'none') outside.hashes = new Map()
    if (memory === 'old') outside.hashes = structuredClone(outside.dump)
    // All lose it, and none goes by it again before all have told what they know.
    for (const server of servers) server.lose()
    for (const { local } of servers) for (const keyId of local.keysToRestore()) outside.report(keyId, local)
  }

  #comeBack (servers: Server[]): void {
    for (const server of servers) {
      this.reportAll(server)
      server.exact = server.up = true
    }
  }

  #end (index: number, how: 'stop' | 'kill'): void {
    const { local, exact, unsaved, up } = this.servers[index]!
    if (!up) return
    if (how === 'stop') this.outside.save(local, true)
    for (const [name, count] of unsaved) add(this.untold, name, count)
    // None starts without Redis.
    this.servers[index] = Object.assign(new Server(), { exact, up: exact })
  }

  #hit (index: number, key: Key): void {
    const server = this.servers[index]!
    if (!server.up) return
    const verdict = server.exact ? this.#chargeInRedis(server, key) : this.#chargeHere(server, key, index)
    if (verdict !== 'admitted') return
    for (const name of this.namesOf(key.id)) {
      add(this.admitted, name, 1)
      add(server.unsaved, name, 1)
    }
  }

  #chargeInRedis ({ local }: Server, key: Key): string {
    const { outside } = this
    if (outside.hashes.get(key.id)?.run !== outside.run) outside.report(key.id, local)
    const reading = outside.reading(key.id)
    const { verdict } = decide(key, reading.used, outside.now)
    if (verdict === 'admitted') {
      for (const name of WINDOWS) {
        outside.hashes.get(key.id)!.counts = {
          ...outside.countsOf(outside.hashes.get(key.id)!.counts),
          [name]: { start: windowStart(outside.now, LENGTHS[name]), used: reading.used[name] + 1 }
        }
      }
    }
    local.noteCharged(key.id, reading, verdict === 'admitted')
    return verdict
  }

  #chargeHere ({ local, loaded }: Server, key: Key, rank: number): string {
    const { outside } = this
    if (!loaded.has(key.id)) local.noteSaved(key.id, outside.now, outside.countsOf(outside.table.get(key.id)))
    loaded.add(key.id)
    return local.charge(key, outside.now, { servers: 3, rank }).decision.verdict
  }
}

function add (to: Map<string, number>, name: string, count: number): void {
  to.set(name, (to.get(name) ?? 0) + count)
}

/** Throws where Redis has not counted each request once that it was told of. Returns how many windows it compared. */
function compareExactly (world: World, keys: Key[]): number {
  const { outside, servers, admitted, untold } = world
  let compared = 0
  for (const { id } of keys) {
    for (const [index, name] of world.namesOf(id).entries()) {
      if (untold.has(name) || !admitted.has(name)) continue
      compared++
      if (outside.hashes.get(id)?.run !== outside.run) outside.report(id, servers[0]!.local)
      const counted = outside.reading(id).used[WINDOWS[index]!]
      if (counted !== admitted.get(name)) throw new Error(`${counted} counted of ${admitted.get(name)} in ${name}`)
    }
  }
  return compared
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
          const world = new World(keys)
          for (const event of events) world.happen(event)
          for (const server of world.servers) world.reportAll(server)
          compared += compareExactly(world, keys)
          for (const [name, count] of world.admitted) {
            const limit = name.includes('minute') ? perMinute : perMinute + more
            const known = count - (world.untold.get(name) ?? 0)
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
