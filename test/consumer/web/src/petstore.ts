import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError, CreatePetBody, PetStatus } from 'petstore-api-types'
import { createPetstore, nextCursor, ResponseError } from 'petstore-api-types/client'
import { createContext, useContext } from 'react'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ResponseError<ApiError>
  }
}

export type Petstore = ReturnType<typeof createPetstore>

export const PetstoreContext = createContext<Petstore | undefined>(undefined)

function usePetstore (): Petstore {
  return useContext(PetstoreContext)!
}

/** The pets of a status, page after page. */
export function usePets (status: PetStatus | undefined) {
  const petstore = usePetstore()
  return useInfiniteQuery({
    queryKey: ['pets', status],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: 20, status, cursor }
      const { data, error, response } = await petstore.GET('/pets', { params: { query }, signal })
      if (error) throw new ResponseError(error, response)
      return { pets: data, next: nextCursor(response) }
    },
    getNextPageParam: ({ next }) => next
  })
}

/** Adds a pet. Its error has what is wrong with each field. */
export function useAddPet () {
  const petstore = usePetstore()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: CreatePetBody) => {
      const { data, error, response } = await petstore.POST('/pets', { body })
      if (error) throw new ResponseError(error, response)
      return data
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['pets'] })
  })
}

/** The open and complete orders, page after page. */
export function useOrders () {
  const petstore = usePetstore()
  return useInfiniteQuery({
    queryKey: ['orders'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: 20, cursor }
      const { data, error, response } = await petstore.GET('/store/orders', { params: { query }, signal })
      if (error) throw new ResponseError(error, response)
      return { orders: data, next: nextCursor(response) }
    },
    getNextPageParam: ({ next }) => next
  })
}

/** Orders a pet, or cancels an order. */
export function useOrdering () {
  const petstore = usePetstore()
  const queries = useQueryClient()
  const onSuccess = () => Promise.all(['orders', 'pets'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
  const order = useMutation({
    mutationFn: async (petId: number) => {
      const { error, response } = await petstore.POST('/store/orders', { body: { petId } })
      if (error) throw new ResponseError(error, response)
    },
    onSuccess
  })
  const cancel = useMutation({
    mutationFn: async (orderId: number) => {
      const { error, response } = await petstore.DELETE('/store/orders/{orderId}', { params: { path: { orderId } } })
      if (error) throw new ResponseError(error, response)
    },
    onSuccess
  })
  return { order, cancel }
}
