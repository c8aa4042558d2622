import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Lifetime } from '../../command/lifetime.js'
import type { Cores } from '../machine.js'

/** A server of its own process on a port of this machine. */
export interface ServerProcess {
  pid: number
  port: number
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

export interface ServerCommand {
  /** What is measured, for messages. */
  name: string
  /** The arguments of Node. */
  args: string[]
  environment: Record<string, string>
  /** The file that takes what it writes to stdout; without it, nothing is kept. */
  log?: string
}

/** How long a server may take until it listens, in milliseconds. */
const START = 60_000

/**
 * Starts a server on its core, and waits until it says on stderr where it listens. It ends with the lifetime at the
 * latest.
 */
export async function startServer (
  lifetime: Lifetime,
  cores: Cores,
  { name, args, environment, log }: ServerCommand
): Promise<ServerProcess> {
  const node = [process.execPath, ...args]
  const [command = '', ...rest] = cores ? ['taskset', '-c', String(cores.server), ...node] : node
  const output = log === undefined ? ('ignore' as const) : openSync(log, 'a')
  const child = spawn(command, rest, {
    // What else NODE_OPTIONS says would be measured too.
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'production', ...environment },
    stdio: ['pipe', output, 'pipe']
  })
  if (typeof output === 'number') closeSync(output)
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  lifetime.teardown(() => end('SIGKILL'))
  let said = ''
  const port = await new Promise<number>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} does not listen after ${START / 1000} s: ${said}`)), START)
    child.stderr!.on('data', (chunk) => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (!found) return
      clearTimeout(late)
      resolve(Number(found[1]))
    })
    exited.then(() => {
      clearTimeout(late)
      reject(new Error(`${name} ended: ${said}`))
    }, reject)
  })
  child.stderr!.removeAllListeners('data').resume()
  return { pid: child.pid!, port, stop: () => end('SIGTERM') }
}
