import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, type Lifetime } from '../../command/lifetime.js'
import { clearProgress } from '../../command/progress.js'
import { machineOf, pinLoad } from '../machine.js'
import type { Options } from '../options.js'
import { missingIn, type Circumstances } from '../report/results.js'
import { circumstancesOf, tableOf, voidedIn } from '../report/table.js'
import { versionsOf } from '../servers/targets.js'
import { AXES, type AxisContext, type AxisName, type AxisResult } from './axis.js'
import { scaleConnections } from './connections.js'
import { scaleKeys } from './keys.js'
import { scaleMemory } from './memory.js'
import { scalePets } from './pets.js'
import { scaleShared } from './shared.js'

const MEASURES: Record<AxisName, (context: AxisContext) => Promise<AxisResult>> = {
  pets: scalePets,
  keys: scaleKeys,
  connections: scaleConnections,
  memory: scaleMemory,
  shared: scaleShared
}

/** Measures how the service bears what grows, prints what was found and writes it; gives the exit code. */
export async function scale (lifetime: Lifetime, options: Options): Promise<number> {
  const { settings, pets, quick, json } = options
  const folder = await temporaryFolder(lifetime)
  const cores = pinLoad()
  const circumstances: Circumstances = {
    date: new Date().toISOString(),
    machine: machineOf(cores),
    versions: versionsOf([])
  }
  console.log(circumstancesOf(circumstances))
  const axes: Partial<Record<AxisName, AxisResult>> = {}
  const missing: string[] = []
  const exceeded: string[] = []
  for (const axis of options.scale) {
    const axisFolder = join(folder, axis)
    await mkdir(axisFolder)
    const context = { cores, folder: axisFolder, settings, pets, quick }
    const result = await within(lifetime, (own) => MEASURES[axis]({ lifetime: own, ...context }))
    axes[axis] = result
    missing.push(...missingIn(result.summaries))
    exceeded.push(...(result.exceeded ?? []))
    clearProgress()
    console.log(`\n${axis}: ${AXES[axis]}\n`)
    print(result)
  }
  if (json !== undefined) {
    await writeFile(json, `${JSON.stringify({ ...circumstances, settings: { ...settings, pets }, scale: axes }, null, 2)}\n`)
  }
  if (missing.length > 0) console.error(`Not measured, since no window is whole: ${missing.join(', ')}`)
  if (exceeded.length > 0) console.error(`Larger than it may be: ${exceeded.join(', ')}`)
  return missing.length + exceeded.length > 0 ? 1 : 0
}

function print ({ summaries, titles, figures }: AxisResult): void {
  if (Object.keys(summaries).length > 0) console.log(tableOf(summaries, titles))
  for (const line of voidedIn(summaries)) console.log(line)
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${name}: ${figure.toFixed(2)}`)
}

/** Does some work with a lifetime of its own, which ends with the work, or else with the lifetime around it. */
async function within<Result> (lifetime: Lifetime, work: (own: Lifetime) => Promise<Result>): Promise<Result> {
  const ends: (() => unknown)[] = []
  const endAll = async (): Promise<void> => {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
  lifetime.teardown(endAll)
  const result = await work({
    teardown: (end) => {
      ends.push(end)
    }
  })
  await endAll()
  return result
}
