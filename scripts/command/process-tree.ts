import { execFileSync } from 'node:child_process'

/** Finds a process and all that it has started, and what those have started; oldest first. */
export function processTreeOf (pid: number): number[] {
  const pairs = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const descendantsOf = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child!, ...descendantsOf(child!)])
  return [pid, ...descendantsOf(pid)]
}

/** Sends a signal to these processes; one that has ended meanwhile is left out. */
export function signalAll (pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}
