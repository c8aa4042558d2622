import { Answer } from '../contract/index.js'
import { ApiError } from '../domain/errors.js'
import type { CategoryRepository, PetRepository } from '../domain/pets.js'
import type { Handlers } from './handlers.js'
import { pagesOf } from './pages.js'

export interface PetDependencies {
  pets: PetRepository
  categories: CategoryRepository
}

type PetHandlers = Pick<Handlers, 'listPets' | 'createPet' | 'getPet' | 'listCategories' | 'createCategory'>

/** Gives the handlers of the tag Pets (contract, section 4). */
export function petHandlers ({ pets, categories }: PetDependencies): PetHandlers {
  return {
    listPets: pagesOf(pets.list),

    createPet: ({ body }) => pets.create(body),

    async getPet ({ params }) {
      const pet = await pets.find(params.petId)
      if (!pet) throw new ApiError('not_found', 'There is no pet with this id.')
      return new Answer(pet.value).cacheableWhile(pet.isCurrent)
    },

    listCategories: pagesOf(categories.list),

    createCategory: ({ body }) => categories.create(body)
  }
}
