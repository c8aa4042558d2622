import type { Profiler } from 'node:inspector'
import type { Workload } from '../load/workloads.js'
import { sourceOf, type Place } from './source.js'

/** Where the time of a request goes, in microseconds. */
export interface Shares {
  total: number
  /** What each module takes by itself, the most first. */
  modules: Record<string, number>
  /** The functions that take the most by themselves. */
  functions: Record<string, number>
}

/** Where the time of a request goes under each workload. */
export type Profile = Partial<Record<Workload, Shares>>

type CallFrame = Profiler.Profile['nodes'][0]['callFrame']

interface Node {
  module: string
  name: string
}

/** What V8 counts under names of its own. */
const OF_V8: Record<string, string> = {
  '(garbage collector)': 'garbage collector',
  '(program)': 'outside of JavaScript'
}
const FUNCTIONS = 30

/**
 * Divides the time of a CPU profile between two moments, by modules and by functions, among so many requests. What a
 * function of Node or V8 itself takes counts for the module that calls it, and idle time for none.
 */
export function sharesIn (profile: Profiler.Profile, from: number, to: number, requests: number): Shares {
  const nodes = nodesOf(profile)
  const modules = new Map<string, number>()
  const functions = new Map<string, number>()
  const { samples = [], timeDeltas = [], startTime } = profile
  let total = 0
  let time = startTime
  samples.forEach((id, index) => {
    time += timeDeltas[index]!
    // What was running when the sample was taken is taken to have run until the next.
    const share = (timeDeltas[index + 1] ?? 0) / requests
    const node = nodes.get(id)
    if (!node || time < from || time > to) return
    total += share
    modules.set(node.module, (modules.get(node.module) ?? 0) + share)
    functions.set(node.name, (functions.get(node.name) ?? 0) + share)
  })
  return { total, modules: largestOf(modules), functions: largestOf(functions, FUNCTIONS) }
}

/** The nodes of the call tree that take time; the idle ones are left out. */
function nodesOf ({ nodes: list }: Profiler.Profile): Map<number, Node> {
  const byId = new Map(list.map((node) => [node.id, node]))
  const nodes = new Map<number, Node>()
  const visit = (id: number, caller: string): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const source = sourceOf(callFrame)
    const module = source ? source.path.replace(/\/[^/]+$/, '') : moduleOf(callFrame, caller)
    const name = `${callFrame.functionName || 'anonymous'} ${placeOf(callFrame, source) ?? module}`
    if (!/^\((idle|root)\)$/.test(callFrame.functionName)) nodes.set(id, { module, name })
    for (const child of children) visit(child, module)
  }
  visit(list[0]!.id, 'outside of JavaScript')
  return nodes
}

function moduleOf ({ functionName, scriptId, url }: CallFrame, caller: string): string {
  if (url.startsWith('node:')) return builtinOf(url)
  if (url !== '') return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'src'
  if (functionName in OF_V8) return OF_V8[functionName]!
  if (scriptId !== '0') return 'compiled at run time'
  // A native function, such as those of the driver of SQLite.
  return caller
}

/** The file and the line of a function, where it has one. */
function placeOf ({ url, lineNumber }: CallFrame, source: Place | undefined): string | undefined {
  if (source) return `${source.path}:${source.line}`
  return url === '' ? undefined : `${url.replace(/^.*\/(?=node_modules\/)/, '')}:${lineNumber + 1}`
}

/** The public module that an internal file of Node belongs to, as far as its name says so. */
function builtinOf (url: string): string {
  const [name = ''] = url.replace(/^node:(internal\/)?_?/, '').split('/')
  if (name.startsWith('http')) return 'node:http'
  return `node:${{ stream_base_commons: 'net', streams: 'stream' }[name] ?? name}`
}

function largestOf (shares: Map<string, number>, count = Infinity): Record<string, number> {
  return Object.fromEntries([...shares].sort(([, one], [, other]) => other - one).slice(0, count))
}
