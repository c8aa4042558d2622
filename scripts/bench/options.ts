import { readOptions, refuseArguments } from '../command/arguments.js'
import type { RoundsSettings } from './rounds.js'
import { AXES, type AxisName } from './scale/axis.js'
import { PEERS, TARGETS, type TargetName } from './servers/targets.js'
import { WORKLOADS, type Workload } from './load/workloads.js'

/** What the command line asks for. */
export interface Options {
  settings: RoundsSettings
  workloads: Workload[]
  targets: TargetName[]
  pets: number
  profile: boolean
  quick: boolean
  /** What grows; nothing when the service is compared. */
  scale: AxisName[]
  json: string | undefined
  svg: string | undefined
}

const AXIS_NAMES = Object.keys(AXES) as AxisName[]

const list = (names: Record<string, string>) =>
  Object.entries(names)
    .map(([name, text]) => `  ${name.padEnd(13)}${text}`)
    .join('\n')

const USAGE = `Usage: npm run bench -- [options]

Measures how much processor time a request takes, beside other servers in the same run. Takes about half an hour on a
machine that does nothing else. The service runs as in production: the built program, SQLite on disk, a key without
limits, its log to a file. Before the first round each server gets 4 s of each load, so that its code is compiled and
caches are full. The servers share one core, the load has another; needs Linux and taskset for that.

Workloads, over 64 kept connections:
${list(WORKLOADS)}

Servers:
${list(TARGETS)}

ratio is the processor time of bareH for a request divided by that of the server in the same round: 1 is as quick as
bareH. A window with one wrong status or body is void. Exit codes: 0, 1 when something could not be measured or
is larger than it may be, 2 for wrong options.

Options:
  --quick            under 2 minutes: 3 short rounds
  --only L,G         only these workloads
  --peers none       none of the peers, or some of ${PEERS.join(',')}; the first time they are installed by npm
  --rounds N         rounds; 7 at first, 3 with --quick
  --seconds S        seconds of each window; 3 at first, 0.6 with --quick
  --pets N           pets that are stored; 100000 at first, 5000 with --scale and --quick
  --connections N    connections; 64 at first
  --json FILE        write all that was found
  --svg FILE         write a chart
  --metrics          the service with its metrics on, too
  --profile          then take a CPU profile of the service: microseconds of a request in each module
  --scale all        instead of the comparison, measure how the service bears what grows, or some of it; takes an hour,
                     with --quick a minute with small sizes, to see that it works. ratio is to the first of each table.

For --scale:
${list(AXES)}`

/** Reads the command line; for words that cannot be used it prints the usage and ends the process with 2. */
export function optionsOf (): Options {
  const given = readOptions(USAGE, {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(WORKLOADS).join() },
    peers: { type: 'string', default: PEERS.join() },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    pets: { type: 'string' },
    connections: { type: 'string', default: '64' },
    json: { type: 'string' },
    svg: { type: 'string' },
    metrics: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    scale: { type: 'string', default: '' }
  })
  if (process.platform !== 'linux') refuse('The processor time of a server is read from /proc, which only Linux has.')
  const quick = given.quick!
  const peers = namesIn('--peers', given.peers === 'none' ? '' : given.peers!, PEERS)
  return {
    settings: {
      rounds: numberIn('--rounds', given.rounds ?? (quick ? '3' : '7'), 1, 1_000),
      seconds: numberIn('--seconds', given.seconds ?? (quick ? '0.6' : '3'), 0.1, 600),
      ramp: quick ? 0.2 : 0.5,
      warmUp: quick ? 0.4 : 4,
      connections: numberIn('--connections', given.connections!, 1, 10_000)
    },
    workloads: namesIn('--only', given.only!, Object.keys(WORKLOADS) as Workload[]),
    targets: (Object.keys(TARGETS) as TargetName[]).filter(
      (name) =>
        (name !== 'metrics' || given.metrics) &&
        (!PEERS.some((peer) => peer === name) || peers.some((peer) => peer === name))
    ),
    pets: numberIn('--pets', given.pets ?? (quick && given.scale ? '5000' : '100000'), 200, 9_999_999),
    profile: given.profile!,
    quick,
    scale: namesIn('--scale', given.scale === 'all' ? Object.keys(AXES).join() : given.scale!, AXIS_NAMES),
    json: given.json,
    svg: given.svg
  }
}

function namesIn<Name extends string> (option: string, text: string, known: readonly Name[]): Name[] {
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !known.includes(name as Name))
  if (unknown !== undefined) refuse(`${option}: '${unknown}' is none of ${known.join(', ')}.`)
  return known.filter((name) => names.includes(name))
}

function numberIn (option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value
  return refuse(`${option}: '${text}' is no number from ${least} to ${most}.`)
}

function refuse (problem: string): never {
  refuseArguments(`${problem}\n\n${USAGE}`)
}
