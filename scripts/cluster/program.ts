import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from '../command/lifetime.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The compiled program that `npm test` has built. */
export const MAIN = join(ROOT, 'dist/main.js')

/**
 * Makes the command line that runs Node with these arguments. What tap adds to NODE_OPTIONS is left out where no
 * coverage is measured, as it doubles the time of a start, and for another user, as it writes into a folder of this
 * one.
 */
export function nodeCommand (args: string[], { uid }: { uid?: number } = {}): [command: string, args: string[]] {
  const bare = process.env.TAP_DISABLE_COVERAGE === '1' || uid !== undefined
  return bare ? ['env', ['-u', 'NODE_OPTIONS', process.execPath, ...args]] : [process.execPath, args]
}

/** How a program ended, and what it wrote. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the program `petstore` to its end, as another user or in another folder when told so. */
export function runProgram (
  args: string[],
  environment: Record<string, string> = {},
  options: { uid?: number; gid?: number; cwd?: string } = {}
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      ...nodeCommand([MAIN, ...args], options),
      { env: { ...process.env, ...environment }, timeout: 30_000, ...options },
      (error, stdout, stderr) => {
        resolve({ code: error ? ((error as { code?: number }).code ?? null) : 0, stdout, stderr })
      }
    )
  })
}

/**
 * Runs the program `petstore` with `--json` and gives the object that it prints.
 * @throws {Error} with what it wrote to stderr, when it failed
 */
export async function runForJson (args: string[], environment: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await runProgram([...args, '--json'], environment)
  if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

/** Runs a script of scripts/ to its end, as `npm run` does. */
export function runScript (name: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      ...nodeCommand(['--import', 'tsx', `scripts/${name}.ts`, ...args]),
      { cwd: ROOT },
      (error, stdout, stderr) => {
        resolve({ code: error ? ((error as { code?: number }).code ?? null) : 0, stdout, stderr })
      }
    )
  })
}

/** A program that listens. */
export interface Running {
  child: ChildProcess
  /** `http://127.0.0.1:PORT` */
  root: string
  stdout(): string
  stderr(): string
  /** Sends a signal and gives the exit code; null when the signal itself ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts `petstore serve`, or another subcommand that listens, on a free port; of this build, or that of another file.
 * It is stopped with the lifetime at the latest.
 */
export async function startProgram (
  lifetime: Lifetime,
  environment: Record<string, string>,
  args = ['serve'],
  cwd = process.cwd(),
  main = MAIN
): Promise<Running> {
  const child = spawn(...nodeCommand([main, ...args]), {
    cwd,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  lifetime.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', () => {
      const found = /on (http:\/\/\S+?)\/v1/.exec(stderr)
      if (found) resolve(found[1]!)
    })
    exited.then(([code]) => reject(new Error(`petstore ${args.join(' ')} ended with ${code}: ${stderr}`)), reject)
  })
  return {
    child,
    root: address,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop (signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    }
  }
}
