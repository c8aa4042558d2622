import type { Test } from 'tap'
import { eventually } from '../../../scripts/cluster/server.js'
import { startService, type Reply } from '../../support/service.js'

const NEVER = 120_000

/** A service that keeps ten requests for categories under way until they are released, and refuses new ones then. */
export async function fullService (t: Test, options: Parameters<typeof startService>[1] = {}) {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const service = await startService(t, {
    ...options,
    loadLimits: { wait: NEVER, underWay: 10 },
    wrap: (repositories) => ({
      ...repositories,
      categories: {
        ...repositories.categories,
        list: async (...given) => {
          await held
          return repositories.categories.list(...given)
        }
      }
    })
  })
  let under: Promise<Reply>[] = []
  const fill = async (): Promise<void> => {
    under = Array.from({ length: 10 }, () => service.call('GET', '/categories'))
    await eventually(async () => {
      if ((await service.call('GET', '/pets')).status !== 503) throw new Error('still served')
    })
  }
  const empty = (): Promise<Reply[]> => {
    release()
    return Promise.all(under)
  }
  return { service, fill, empty }
}
