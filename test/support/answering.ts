import type { Test } from 'tap'
import { StorageUnavailable } from '../../src/domain/errors.js'
import { startService, type Service } from './service.js'

const failing = (thrown: Error) => (t: Test) =>
  startService(t, {
    wrap: (repositories) => ({
      ...repositories,
      usage: {
        ...repositories.usage,
        charge: async () => {
          throw thrown
        }
      }
    })
  })

/**
 * Services that answer every valid call with a status that no call by itself can bring about; 410 comes from deprecated
 * operations only, 409 only while another request with the same Idempotency-Key is answered, which never ends.
 */
export const startAnswering: Record<string, (t: Test) => Promise<Service>> = {
  409: (t) =>
    startService(t, {
      wrap: (repositories) => ({
        ...repositories,
        idempotency: { ...repositories.idempotency, once: () => new Promise(() => {}) }
      })
    }),
  410: async (t) => {
    const service = await startService(t, { enforceSunset: true })
    service.clock.set('2030-12-05T00:00:00Z')
    return service
  },
  500: failing(new Error('a bug')),
  503: failing(new StorageUnavailable('no disk'))
}
