import { Answer } from '../contract/handler.js'
import { ApiError } from '../domain/errors.js'
import { decodeCursor, encodeCursor } from '../domain/pages.js'
import type { PetRepository } from '../domain/pets.js'
import type { Handlers } from './index.js'

export interface PetDependencies { pets: PetRepository, basePath: string }

/** The operations of the tag Pets (contract, section 4). */
export function petHandlers ({ pets, basePath }: PetDependencies): Pick<Handlers, 'listPets' | 'createPet' | 'getPet'> {
  return {
    async listPets ({ query: { limit, status, cursor } }) {
      const page = await pets.list({ limit, status, after: cursor === undefined ? undefined : decodeCursor(cursor) })
      if (page.next === undefined) return page.items
      const next = new URLSearchParams({ limit: String(limit), ...(status === undefined ? {} : { status }), cursor: encodeCursor(page.next) })
      return new Answer(page.items, { Link: `<${basePath}/pets?${next}>; rel="next"` })
    },

    createPet: ({ body }) => pets.create(body),

    async getPet ({ params }) {
      const pet = await pets.find(params.petId)
      if (!pet) throw new ApiError('not_found', 'There is no pet with this id.')
      return pet
    }
  }
}
