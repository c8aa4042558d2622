import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processTreeOf, signalAll } from '../command/process-tree.js'

/** The folders of all that was started here, to be removed with the process where a start was interrupted. */
const folders = new Set<string>()
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * A program that serves others, such as PostgreSQL, started on a free port of this machine, with a folder of its own
 * for what it keeps.
 */
export class Server {
  readonly folder: string
  readonly port: number
  readonly #command: () => ChildProcess
  readonly #ready: () => Promise<unknown>
  #child: ChildProcess | undefined

  private constructor (folder: string, port: number, command: () => ChildProcess, ready: () => Promise<unknown>) {
    this.folder = folder
    this.port = port
    this.#command = command
    this.#ready = ready
  }

  /** Makes the folder, then starts the program and waits until `ready` succeeds. */
  static async start ({ prepare = () => {}, command, ready }: ServerOptions): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-server-'))
    folders.add(folder)
    const port = await freePort()
    const server = new Server(
      folder,
      port,
      () => command(folder, port),
      () => ready(port)
    )
    try {
      prepare(folder, port)
      await server.start()
      return server
    } catch (error) {
      await server.remove()
      throw error
    }
  }

  /** Starts it again, on the same port and folder. */
  async start (): Promise<void> {
    const child = this.#command()
    this.#child = child
    let said = ''
    child.stderr!.on('data', (chunk) => {
      said += chunk
    })
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${child.spawnfile} ended: ${said}`)
    })
    await Promise.race([eventually(this.#ready), ended])
    ended.catch(() => {})
  }

  /** Sends a signal to all of its processes. */
  signal (name: NodeJS.Signals): void {
    signalAll(processTreeOf(this.#child!.pid!), name)
  }

  /** Has it read its configuration again. */
  hangUp (): void {
    this.#child!.kill('SIGHUP')
  }

  /** Ends it with a signal; SIGKILL goes to all of its processes. */
  async end (name: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    if (name === 'SIGKILL') this.signal(name)
    else child.kill(name)
    await exited
  }

  /** Ends it for good, and removes its folder. */
  async remove (): Promise<void> {
    await this.end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** How a program is started, and when it is ready. */
export interface ServerOptions {
  /** Fills the new folder before the program starts. */
  prepare?: (folder: string, port: number) => void
  /** Starts the program. */
  command: (folder: string, port: number) => ChildProcess
  /** Succeeds once the program answers. */
  ready: (port: number) => Promise<unknown>
}

/** Finds a port of this machine that nothing listens on. */
export async function freePort (): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Finds the path of a program, in PATH or in the folders given; undefined when it is not installed. */
export function programAt (name: string, folders: string[] = []): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], {
      encoding: 'utf8',
      env: { PATH: [process.env.PATH, ...folders].join(':') },
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch {
    return undefined
  }
}

/** Starts a program of which only stderr is read. */
export function launch (
  command: string,
  args: string[],
  options: { uid?: number; gid?: number; cwd?: string } = {}
): ChildProcess {
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
}

/** Tries again and again until it succeeds, for 20 s at most; then throws the last error. */
export async function eventually<Result> (attempt: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + 20_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
