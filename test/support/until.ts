import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait at most, in milliseconds: ten times what it takes on a busy machine. */
const PATIENCE = 30_000

/** Waits until something holds. */
export async function until (holds: () => Promise<boolean>): Promise<void> {
  const latest = performance.now() + PATIENCE
  while (!(await holds())) {
    if (performance.now() > latest) throw new Error('What was waited for did not come.')
    await sleep(20)
  }
}
