import createClient from 'openapi-fetch'
import type {
  ApiError,
  CancelOrderPath,
  Categories,
  Category,
  CreateCategoryBody,
  CreatePetBody,
  GetPetPath,
  Inventory,
  InventoryItem,
  ListCategoriesQuery,
  ListInventoryQuery,
  ListOrdersQuery,
  ListPetsQuery,
  Order,
  Orders,
  Pet,
  Pets,
  PlaceOrderBody,
  UpdateInventoryBody,
  UpdateInventoryPath,
  paths
} from 'petstore-api-types'

export { errorCodeValues } from 'petstore-api-types'
export { createPetstore, deprecationOf, nextCursor } from 'petstore-api-types/client'

export interface Options {
  baseUrl: string
  key?: string
  /** Changes a request to what the types do not allow, just before it leaves. */
  spoil?: (request: Request) => Request
}

/** What a call came to: a body, or the code of an error and the seconds to wait. */
export type Outcome<Body> = { status: number; body: Body } | { status: number; code: string; wait: string | null }

/** The operations as a frontend would write them. */
export function petstore ({ baseUrl, key, spoil }: Options) {
  const client = createClient<paths>({ baseUrl, headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } })
  if (spoil) client.use({ onRequest: ({ request }) => spoil(request) })
  return {
    async listPets (query?: ListPetsQuery): Promise<Outcome<Pets>> {
      const { data, error, response } = await client.GET('/pets', { params: { query } })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async createPet (body: CreatePetBody): Promise<Outcome<Pet>> {
      const { data, error, response } = await client.POST('/pets', { body })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async getPet (path: GetPetPath): Promise<Outcome<Pet>> {
      const { data, error, response } = await client.GET('/pets/{petId}', { params: { path } })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async listCategories (query?: ListCategoriesQuery): Promise<Outcome<Categories>> {
      const { data, error, response } = await client.GET('/categories', { params: { query } })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async createCategory (body: CreateCategoryBody): Promise<Outcome<Category>> {
      const { data, error, response } = await client.POST('/categories', { body })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async listOrders (query?: ListOrdersQuery): Promise<Outcome<Orders>> {
      const { data, error, response } = await client.GET('/store/orders', { params: { query } })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async placeOrder (body: PlaceOrderBody): Promise<Outcome<Order>> {
      const { data, error, response } = await client.POST('/store/orders', { body })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async cancelOrder (path: CancelOrderPath): Promise<Outcome<undefined>> {
      const { error, response } = await client.DELETE('/store/orders/{orderId}', { params: { path } })
      if (error) return refused(error, response)
      return { status: response.status, body: undefined }
    },
    async listInventory (query?: ListInventoryQuery): Promise<Outcome<Inventory>> {
      const { data, error, response } = await client.GET('/inventory', { params: { query } })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    },
    async updateInventory ({
      petId,
      ...body
    }: UpdateInventoryPath & UpdateInventoryBody): Promise<Outcome<InventoryItem>> {
      const { data, error, response } = await client.PATCH('/inventory/{petId}', { params: { path: { petId } }, body })
      if (error) return refused(error, response)
      return { status: response.status, body: data }
    }
  }
}

function refused ({ code }: ApiError, { status, headers }: Response) {
  return { status, code, wait: headers.get('Retry-After') }
}
