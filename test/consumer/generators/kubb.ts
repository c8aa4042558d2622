import { setConfig } from './kubb/.kubb/fetch.js'
import { createPet, listPets } from './kubb/index.js'
import type { Shop } from './shop.js'

/** The shop on the functions that kubb makes; where the service is stands in their configuration. */
export function shopOf (_baseUrl: string, key: string): Shop {
  setConfig({ headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } })
  return {
    async add (name) {
      const { data } = await createPet({ name, categoryId: 7, status: 'available' })
      return 'id' in data ? data.id : codeOf(data)
    },
    async page (limit, cursor) {
      const { status, data, headers } = await listPets({ limit, status: 'available', cursor })
      if (status !== 200) return { code: codeOf(data) }
      return { names: data.map(({ name }) => name), link: headers.get('Link') }
    }
  }
}

/** Its types know only the answers of success. */
function codeOf (data: unknown): string {
  return (data as { code: string }).code
}
