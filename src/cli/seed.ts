import { Command, InvalidArgumentError } from 'commander'
import type { Category } from '../domain/categories.js'
import type { NewPet, PetStatus } from '../domain/pets.js'
import type { Repositories } from '../storage/open.js'
import { withStorage } from './with-storage.js'

const NAMES = [
  'Ada',
  'Balu',
  'Coco',
  'Daisy',
  'Eddie',
  'Frida',
  'Gizmo',
  'Hazel',
  'Ivy',
  'Jasper',
  'Kiwi',
  'Luna',
  'Milo',
  'Nala',
  'Otto',
  'Pepper',
  'Rex',
  'Suki',
  'Toby',
  'Willow'
]
const CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Rabbits', 'Hamsters', 'Turtles']
const STATUSES: (PetStatus | undefined)[] = ['available', 'available', 'pending', 'sold', undefined]
/** Written at a time, so that memory stays small however many are asked for. */
const BATCH = 250

export function seedCommand (): Command {
  return new Command('seed')
    .description('Add sample pets, to have something to look at, and categories for them where there are none.')
    .option('--pets <n>', 'how many', countOf, 20)
    .option('--json', 'print one JSON object on the last line')
    .addHelpText('after', '\nExample:\n  petstore seed --pets 200')
    .action((options: { pets: number; json?: boolean }) =>
      withStorage(async (repositories) => {
        await seed(repositories, options.pets)
        return options.json ? JSON.stringify({ pets: options.pets }) : `Added ${options.pets} pets.`
      })
    )
}

async function seed ({ pets, categories }: Repositories, count: number): Promise<void> {
  const { items } = await categories.list({ limit: CATEGORIES.length })
  const present = items.length > 0 ? items : await Promise.all(CATEGORIES.map((name) => categories.create({ name })))
  for (let done = 0; done < count; done += BATCH) {
    await Promise.all(
      Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => pets.create(samplePet(done + index, present)))
    )
  }
}

function samplePet (index: number, categories: Category[]): NewPet {
  const status = STATUSES[index % STATUSES.length]
  const round = Math.floor(index / NAMES.length)
  const name = NAMES[index % NAMES.length]! + (round > 0 ? ` ${round + 1}` : '')
  return { name, categoryId: categories[index % categories.length]!.id, ...(status === undefined ? {} : { status }) }
}

function countOf (text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.')
  return Number(text)
}
