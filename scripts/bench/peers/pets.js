import { readFileSync } from 'node:fs'
import { BASE_PATH } from './service.js'

const pets = JSON.parse(readFileSync(process.env.BENCH_PETS, 'utf8'))
/** The pets of each status, in the order of their ids. */
const byStatus = new Map()
for (const pet of pets) addToStatus(pet)

/** A page of pets from memory, and the `Link` to the next one; undefined behind the last. */
export function listPets ({ limit = 20, status, cursor }) {
  const all = status === undefined ? pets : (byStatus.get(status) ?? [])
  const from = cursor === undefined ? 0 : firstAfter(all, Number(Buffer.from(cursor, 'base64url').toString()))
  const items = all.slice(from, from + limit)
  if (from + limit >= all.length) return { items, link: undefined }
  const query = status === undefined ? '' : `&status=${status}`
  const next = Buffer.from(String(items.at(-1).id)).toString('base64url')
  return { items, link: `<${BASE_PATH}/pets?limit=${limit}${query}&cursor=${next}>; rel="next"` }
}

/** The pet with an id, which are 1, 2, 3 … */
export function getPet (petId) {
  return pets[Number(petId) - 1]
}

/** Adds a pet in memory. */
export function createPet (newPet) {
  const pet = { id: pets.length + 1, ...newPet }
  pets.push(pet)
  addToStatus(pet)
  return pet
}

function addToStatus (pet) {
  if (!byStatus.has(pet.status)) byStatus.set(pet.status, [])
  byStatus.get(pet.status).push(pet)
}

/** The index of the first pet whose id is larger. */
function firstAfter (sorted, id) {
  let low = 0
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1
    if (sorted[middle].id <= id) low = middle + 1
    else high = middle
  }
  return low
}
