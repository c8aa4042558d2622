import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXIT_CONFIGURATION, StartRefusal } from '../../domain/start-refusal.js'

const REMEDY = 'Install the program again: dist/, generated/, openapi/ and package.json stand in one folder.'

/**
 * Gives the URL of the folder that has the program's package.json. It is found by that package, since a bundled file
 * lies elsewhere than its source.
 * @throws {StartRefusal} when there is none
 */
export function packageFolder (): URL {
  try {
    return new URL('.', import.meta.resolve('#package.json'))
  } catch (cause) {
    const folder = dirname(fileURLToPath(import.meta.url))
    const sentence = `The file package.json is missing beside ${folder}. ${REMEDY}`
    throw new StartRefusal(sentence, EXIT_CONFIGURATION, { cause })
  }
}

/**
 * Reads a file that belongs to the program, such as `openapi/petstore.yaml`, from the folder of its package.
 * @throws {StartRefusal} when it cannot be read
 */
export function readPackageFile (name: string, folder: URL = packageFolder()): string {
  const file = new URL(name, folder)
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const fault = code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`
    throw new StartRefusal(`The file ${fileURLToPath(file)} ${fault}. ${REMEDY}`, EXIT_CONFIGURATION, { cause })
  }
}
