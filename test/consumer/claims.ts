// Compiles only when every line does what its comment says. A line that must not compile stands below one that differs
// from it in that alone.
import createClient, { type Client } from 'openapi-fetch'
import { errorCodeValues, petStatusValues } from 'petstore-api-types'
import { createPetstore, deprecationOf, faultsOf, limitsOf, nextCursor, pages, ResponseError } from 'petstore-api-types/client'
import type { Limits, Retry } from 'petstore-api-types/client'
import type {
  ApiError,
  CreatePetBody,
  CreatePetError,
  CreatePetResponse,
  Error as PetstoreError,
  ErrorCode,
  Fault,
  GetPetError,
  GetPetPath,
  GetPetResponse,
  ListPetsError,
  ListPetsQuery,
  ListPetsResponse,
  NewOrder,
  NewPet,
  Pet,
  PetStatus,
  Pets,
  PlaceOrderBody,
  PlaceOrderError,
  components,
  operations,
  paths
} from 'petstore-api-types'

type Same<A, B> = (<Type>() => Type extends A ? 1 : 2) extends <Type>() => Type extends B ? 1 : 2 ? true : never

// The names stand for the same types as the paths through the document.
export const names: [
  Same<Pet, components['schemas']['Pet']>,
  Same<PetstoreError, components['schemas']['Error']>,
  Same<PetStatus, 'available' | 'pending' | 'sold'>,
  Same<PetStatus, (typeof petStatusValues)[number]>,
  Same<ListPetsQuery, { limit?: number | undefined; status?: PetStatus | undefined; cursor?: string | undefined }>,
  Same<ListPetsResponse, Pets>,
  Same<CreatePetBody, NewPet>,
  Same<CreatePetResponse, Pet>,
  Same<GetPetPath, { petId: number }>,
  Same<GetPetResponse, Pet>,
  Same<Extract<ApiError, ListPetsError | CreatePetError | GetPetError>, ListPetsError | CreatePetError | GetPetError>,
  Same<Exclude<ApiError['code'], ErrorCode>, never>,
  Same<PetstoreError['code'], ErrorCode>,
  Same<ErrorCode, (typeof errorCodeValues)[number]>,
  // Each operation has the codes that the document gives to its answers.
  Same<
    ListPetsError['code'],
    | 'bad_request'
    | 'unauthorized'
    | 'forbidden'
    | 'method_not_allowed'
    | 'precondition_failed'
    | 'rate_limited'
    | 'key_banned'
    | 'internal_error'
    | 'unavailable'
  >,
  Same<Exclude<GetPetError['code'], ListPetsError['code']>, 'not_found' | 'gone'>,
  Same<Extract<PlaceOrderError['code'], 'conflict' | 'gone'>, 'conflict'>,
  Same<NonNullable<ListPetsError['errors']>, Fault[]>,
  Same<Fault['in'], 'body' | 'query' | 'path' | 'header' | 'cookie'>,
  Same<PlaceOrderBody, NewOrder>,
  Same<Pick<NewOrder, 'quantity'>, { quantity?: number }>,
  // Every operationId of the document, in its order.
  Same<
    keyof operations,
    | 'listPets'
    | 'createPet'
    | 'getPet'
    | 'listCategories'
    | 'createCategory'
    | 'listOrders'
    | 'placeOrder'
    | 'cancelOrder'
    | 'listInventory'
    | 'updateInventory'
  >
] = [
  true, true, true, true, true, true, true, true, true, true, true,
  true, true, true, true, true, true, true, true, true, true, true
]

// A package without types would be any, which is the same as everything.
// @ts-expect-error
export const any: Same<Pet, NewPet> = true

const isCode = <Code extends ErrorCode>(code: Code) => code

export async function claims () {
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' })

  // No query is needed, and after the error is ruled out the data is there.
  const list = await client.GET('/pets')
  // @ts-expect-error: it may be an error
  list.data.length.toFixed()
  if (list.error) return isCode(list.error.code)
  list.data.length.toFixed()

  // The code of an error is one of the document's.
  const created = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7, status: 'sold' } })
  if (created.error?.code === 'idempotency_key_in_use') return undefined
  // @ts-expect-error: it is misspelt
  if (created.error?.code === 'idempotency_key_in_us') return undefined
  // @ts-expect-error: this operation does not answer with it
  if (created.error?.code === 'gone') return undefined
  if (created.error) return isCode(created.error.code)
  created.data.id.toFixed()
  const read = await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
  if (read.error) return isCode(read.error.code)
  read.data.status?.toUpperCase()

  // A status that does not exist.
  await client.GET('/pets', { params: { query: { status: 'sold' } } })
  // @ts-expect-error
  await client.GET('/pets', { params: { query: { status: 'lost' } } })
  await client.POST('/pets', { body: { name: 'Rex', categoryId: 7, status: 'sold' } })
  // @ts-expect-error
  await client.POST('/pets', { body: { name: 'Rex', categoryId: 7, status: 'lost' } })

  // A parameter that does not exist.
  await client.GET('/pets', { params: { query: { limit: 1 } } })
  // @ts-expect-error
  await client.GET('/pets', { params: { query: { page: 1 } } })

  // A parameter that need not be sent may be undefined, under exactOptionalPropertyTypes too.
  const none = undefined
  await client.GET('/pets', { params: { query: { limit: 1, status: none, cursor: none } } })
  await client.GET('/pets', { params: { query: none, header: { 'If-None-Match': none } } })
  // @ts-expect-error: it must be sent
  await client.GET('/pets/{petId}', { params: { path: { petId: none } } })

  // A path or a method that does not exist.
  await client.GET('/pets')
  // @ts-expect-error
  await client.GET('/pet')
  // @ts-expect-error
  await client.DELETE('/pets')

  // A body, a property of it or a path parameter is missing.
  await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
  // @ts-expect-error
  await client.POST('/pets')
  // @ts-expect-error
  await client.POST('/pets', { body: { name: 'Rex' } })
  await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
  // @ts-expect-error
  await client.GET('/pets/{petId}')
  return undefined
}

export async function claimsOfClient (key: string, retry: Retry) {
  const client = createPetstore({ baseUrl: 'http://127.0.0.1', key, retry, fetch })
  createPetstore({ baseUrl: 'http://127.0.0.1', key: () => undefined, retry: false })
  // @ts-expect-error
  createPetstore({ key })
  // @ts-expect-error
  createPetstore({ baseUrl: 'http://127.0.0.1', retry: { tries: 3 } })

  // It is a client of openapi-fetch, with its types.
  const { data, error, response } = await client.GET('/pets', { signal: AbortSignal.timeout(1_000) })
  const pets: Pet[] | undefined = data
  const code: ErrorCode | undefined = error?.code
  // @ts-expect-error
  await client.GET('/pet')

  // Where If-None-Match is sent, a 304 has neither data nor error.
  const again = await client.GET('/pets', { params: { header: { 'If-None-Match': '*' } } })
  if (again.error) return undefined
  again.data?.length.toFixed()
  // @ts-expect-error
  again.data.length.toFixed()
  const once = await client.GET('/pets', { params: { query: { limit: 1 } } })
  if (once.error) return undefined
  once.data.length.toFixed()
  // Libraries that take a client of openapi-fetch take this one.
  const plain: Client<paths> = client
  await plain.GET('/pets')

  // The items of each list have their type, and each list its parameters.
  for await (const pet of pages(client, '/pets', { params: { query: { status: 'sold', limit: 3 } } })) pet.name.trim()
  for await (const { quantity } of pages(client, '/inventory')) quantity.toFixed()
  // @ts-expect-error
  for await (const pet of pages(client, '/pets')) pet.title.trim()
  // @ts-expect-error
  pages(client, '/pets', { params: { query: { status: 'lost' } } })
  // @ts-expect-error
  pages(client, '/categories', { params: { query: { status: 'sold' } } })
  // @ts-expect-error: it is no list
  pages(client, '/pets/{petId}')

  const limits: Limits | undefined = limitsOf(response)
  const cursor: string | undefined = nextCursor(response)
  const sunset: Date | undefined = deprecationOf(response)?.sunset
  const faults: Partial<Record<string, string>> = faultsOf(error)
  const thrown = error && new ResponseError(error, response)
  const thrownCode: ErrorCode | undefined = thrown?.body.code
  return { pets, code, limits, faults, cursor, sunset, thrownCode, windows: limits?.windows.map(({ name }) => name) }
}
