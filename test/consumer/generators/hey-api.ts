import { client } from './hey-api/client.gen.js'
import { createPet, listPets } from './hey-api/index.js'
import type { Shop } from './shop.js'

/** The shop on the client that @hey-api/openapi-ts makes. */
export function shopOf (baseUrl: string, key: string): Shop {
  client.setConfig({ baseUrl, auth: () => key })
  return {
    async add (name) {
      const { data, error } = await createPet({ body: { name, categoryId: 7, status: 'available' } })
      return data ? data.id : error.code
    },
    async page (limit, cursor) {
      const { data, error, response } = await listPets({
        query: { limit, status: 'available', ...(cursor !== undefined && { cursor }) }
      })
      return { names: data?.map(({ name }) => name), code: error?.code, link: response?.headers.get('Link') }
    }
  }
}
