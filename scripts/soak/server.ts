import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { MAIN } from '../cluster/program.js'
import { eventually } from '../cluster/server.js'
import type { Lifetime } from '../command/lifetime.js'

/** What a server holds: live objects after a garbage collection and resident memory in kB, descriptors, WAL in kB. */
export interface Holding {
  heap: number
  memory: number
  descriptors: number
  wal: number
}

/** A server whose heap can be asked for. */
export interface Watched {
  root: string
  holding(): Promise<Holding>
}

/** In the program: on a signal, collects the garbage and tells what is left. */
const TELL_HEAP = `process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round++) gc()
  process.stderr.write('heap=' + process.memoryUsage().heapUsed + '\\n')
})`

/** Starts the program on a SQLite file, so that what is left after a garbage collection can be seen. */
export async function startWatched (lifetime: Lifetime, path: string): Promise<Watched> {
  const tellHeap = `data:text/javascript,${encodeURIComponent(TELL_HEAP)}`
  const child = spawn(process.execPath, ['--expose-gc', '--import', tellHeap, MAIN, 'serve'], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', LOG_LEVEL: 'info', DATABASE_URL: `sqlite:${path}` },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  lifetime.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr!.on('data', (chunk) => {
    said += chunk
  })
  let root = ''
  await eventually(async () => {
    root = /on (http:\/\/\S+?)\/v1/.exec(said)?.[1] ?? ''
    if (root === '') throw new Error(`The server does not listen: ${said}`)
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The server ended: ${said}`)))
  ended.catch(() => {})
  return { root, holding: () => Promise.race([holdingOf(child, path), ended]) }
}

async function holdingOf (child: ChildProcess, path: string): Promise<Holding> {
  const told = new Promise<number>((resolve) => {
    const listen = (chunk: Buffer): void => {
      const found = /heap=(\d+)/.exec(String(chunk))
      if (!found) return
      child.stderr!.off('data', listen)
      resolve(Number(found[1]))
    }
    child.stderr!.on('data', listen)
  })
  child.kill('SIGUSR2')
  const heap = await told
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return {
    heap: heap / 1024,
    memory: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]),
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    wal: (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1024
  }
}
