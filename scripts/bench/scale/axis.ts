import type { Lifetime } from '../../command/lifetime.js'
import type { Cores } from '../machine.js'
import type { Summaries } from '../report/results.js'
import type { RoundsSettings } from '../rounds.js'

/** What grows along an axis, and what the service must bear. */
export const AXES = {
  pets: '1,000, 100,000 and 1,000,000 pets: lists at the beginning, at the end and anywhere, one pet, new pets',
  keys: '10 and 100,000 keys: one pet by any of them; the first use of a key, and its memory',
  connections: '1, 64 and 512 connections',
  memory: 'the memory of an idle service over 100,000 and 1,000,000 pets, and in each of 5 minutes of M',
  shared: '1, 2 and 3 servers that share a PostgreSQL and a Redis'
}

/** The name of something that grows. */
export type AxisName = keyof typeof AXES

/** What all axes are measured with. */
export interface AxisContext {
  lifetime: Lifetime
  cores: Cores
  /** An empty folder of this axis alone. */
  folder: string
  settings: RoundsSettings
  /** Pets that are stored where it is not they that grow. */
  pets: number
  /** Measures small sizes in a short time, to see that it works. */
  quick: boolean
}

/** What was found along one axis. */
export interface AxisResult {
  /** The ratios are to the first target of each load. */
  summaries: Summaries
  /** What the loads are. */
  titles: Record<string, string>
  /** Single figures by what they tell of. */
  figures: Record<string, number>
  /** Figures that are larger than they may be. */
  exceeded?: string[]
}
