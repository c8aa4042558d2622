import { createPet, listPets } from './orval/petstore.js'
import type { Shop } from './shop.js'

/** The shop on the functions that orval makes; where the service is stands in their configuration. */
export function shopOf (_baseUrl: string, key: string): Shop {
  const headers = { Authorization: `Bearer ${key}` }
  return {
    async add (name) {
      const { status, data } = await createPet(
        { name, categoryId: 7, status: 'available' },
        { headers: { ...headers, 'Content-Type': 'application/json' } }
      )
      return status === 201 ? data.id : data.code
    },
    async page (limit, cursor) {
      const { status, data, headers: received } = await listPets(
        { limit, status: 'available', ...(cursor !== undefined && { cursor }) },
        { headers }
      )
      if (status === 304) return {}
      if (status !== 200) return { code: data.code }
      return { names: data.map(({ name }) => name), link: received.get('Link') }
    }
  }
}
