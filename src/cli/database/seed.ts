import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { Category, NewPet, PetStatus } from '../../domain/pets.js'
import type { Repositories } from '../../storage/open.js'
import type { Context } from '../context.js'
import { JSON_HELP } from '../terminal/json-command.js'
import type { Progress } from '../terminal/progress.js'
import { settingsHelp } from '../terminal/settings-help.js'
import { withStorage } from '../with-storage.js'

const NAMES = (
  'Ada Balu Coco Daisy Eddie Frida Gizmo Hazel Ivy Jasper ' +
  'Kiwi Luna Milo Nala Otto Pepper Rex Suki Toby Willow'
).split(' ')
const CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Fish', 'Rabbits', 'Hamsters', 'Turtles']
const STATUSES: (PetStatus | undefined)[] = ['available', 'available', 'pending', 'sold', undefined]
/** Written by one statement, so that memory stays small and others who write wait for some milliseconds at most. */
const BATCH = 500
/** How long others may write between two batches, in milliseconds: a server beside looks for that every few. */
const PAUSE = 10

/** `petstore seed`: adds sample records. */
export function seedCommand (context: Context): Command {
  return new Command('seed')
    .description('Add sample pets, to have something to look at, and categories for them where there are none.')
    .option('--pets <n>', 'how many', parsePetCount, 20)
    .option('--json', JSON_HELP)
    .addHelpText('after', settingsHelp(['DATABASE_URL']))
    .addHelpText('after', '\nExample:\n  petstore seed --pets 200')
    .action(({ pets, json }: { pets: number; json?: boolean }) =>
      withStorage(context, async (repositories, progress) => {
        await seed(repositories, pets, progress)
        return json ? JSON.stringify({ pets }) : `Added ${pets} pets.`
      }, { create: true })
    )
}

async function seed ({ pets, categories }: Repositories, count: number, progress: Progress): Promise<void> {
  const { items } = await categories.list({ limit: CATEGORIES.length })
  const present = items.length > 0 ? items : await Promise.all(CATEGORIES.map((name) => categories.create({ name })))
  for (let done = 0; done < count; done += BATCH) {
    if (done > 0) await sleep(PAUSE)
    progress.show(`${done} of ${count} pets added`)
    await pets.createAll(
      Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => samplePet(done + index, present))
    )
  }
}

function samplePet (index: number, categories: Category[]): NewPet {
  const status = STATUSES[index % STATUSES.length]
  const round = Math.floor(index / NAMES.length)
  const name = NAMES[index % NAMES.length]! + (round > 0 ? ` ${round + 1}` : '')
  return { name, categoryId: categories[index % categories.length]!.id, ...(status === undefined ? {} : { status }) }
}

function parsePetCount (text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.')
  return Number(text)
}
