import { showProgress } from '../command/progress.js'
import type { Exchange } from './load/connection.js'
import { measure, type ServerAddress, type Window, type WindowSettings } from './load/window.js'

/** One or more servers whose figures are taken together. */
export interface Measured<Name extends string = string> {
  name: Name
  servers: readonly ServerAddress[]
  /** How many connections load them, when it is not the number in the settings. */
  connections?: number
}

/** The windows of each target under each load, one for each round. */
export type Windows<Load extends string = string, Name extends string = string> = Partial<
  Record<Load, Partial<Record<Name, Window[]>>>
>

export interface RoundsSettings extends WindowSettings {
  rounds: number
  /** Seconds of load on each target before the first round, so that its code is compiled. */
  warmUp: number
}

export interface RoundsOptions<Load extends string, Target extends Measured> {
  loads: readonly Load[]
  targets: readonly Target[]
  /** Gives what makes the requests of a load for a target. */
  requestsOf(load: Load, target: Target): () => Exchange
  settings: RoundsSettings
  /** Called after each window. */
  afterWindow(): Promise<unknown>
}

/**
 * Measures every target under every load once in each round. Within a load the targets follow each other, so that what
 * happens on the machine meets all of them, and each round begins with another one.
 */
export async function runRounds<Load extends string, Target extends Measured> (
  options: RoundsOptions<Load, Target>
): Promise<Windows<Load, Target['name']>> {
  const { loads, targets, settings } = options
  const { rounds, warmUp } = settings
  const windows: Windows<Load, Target['name']> = {}
  const total = rounds * loads.length * targets.length
  let done = 0
  const run = async (load: Load, target: Target, timing: Partial<WindowSettings> = {}): Promise<Window> => {
    const { connections = settings.connections } = target
    const next = options.requestsOf(load, target)
    const window = await measure(target.servers, next, { ...settings, connections, ...timing })
    await options.afterWindow()
    return window
  }

  for (const load of loads) {
    for (const target of targets) {
      showProgress(`Warms up: ${load} ${target.name} …`)
      await run(load, target, { ramp: 0, seconds: warmUp })
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const load of loads) {
      const ofLoad: Partial<Record<Target['name'], Window[]>> = (windows[load] ??= {})
      for (const target of rotated(targets, round)) {
        const percent = Math.round((100 * done++) / total)
        showProgress(`${percent} %, round ${round + 1} of ${rounds}: ${load} ${target.name} …`)
        const name: Target['name'] = target.name
        const list = (ofLoad[name] ??= [])
        list.push(await run(load, target))
      }
    }
  }
  return windows
}

function rotated<Item> (items: readonly Item[], by: number): Item[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
