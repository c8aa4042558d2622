import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What package-lock.json says of a package. */
interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
}

/** package-lock.json: its packages by the folder in which each is installed; '' is the project itself. */
export interface Lock {
  packages: Record<string, Locked>
}

/** How many packages a deployment may install. */
export const MOST_AT_RUN_TIME = 160
/** How many MB they may take on the disk. */
export const LARGEST_AT_RUN_TIME = 67

const REGISTRY = 'https://registry.npmjs.org/'

/**
 * Licences that ask for no more than to be named. Packages that are only developed with may ask for a link, or that
 * changes of their own files be published.
 */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']
const ALLOWED_TO_DEVELOP = [...ALLOWED, 'CC-BY-3.0', 'CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'PSF-2.0', 'Python-2.0']

/** The licences of packages whose manifest names none, as a file of each says. */
const OF_FILE: Record<string, string> = {
  'node_modules/compute-gcd': 'MIT',
  'node_modules/compute-lcm': 'MIT',
  'node_modules/jsonc-simple-parser': 'MIT',
  'node_modules/validate.io-function': 'MIT',
  'node_modules/validate.io-integer': 'MIT',
  'node_modules/validate.io-integer-array': 'MIT',
  'node_modules/validate.io-number': 'MIT'
}

/** Finds the packages that npm could not tell from others of the same name, or that come from elsewhere. */
export function integrityFaults ({ packages }: Lock): string[] {
  return installed(packages).flatMap(([path, { integrity = '', resolved = REGISTRY }]) => [
    ...(integrity.startsWith('sha512-') ? [] : [`${path} has no SHA-512.`]),
    ...(resolved.startsWith(REGISTRY) ? [] : [`${path} comes from ${resolved}.`])
  ])
}

/** Finds the packages whose licence is not one of those that are allowed. */
export function licenceFaults ({ packages }: Lock): string[] {
  return installed(packages).flatMap(([path, { license, dev }]) => {
    const given = license ?? OF_FILE[path] ?? 'none'
    // (MIT OR CC0-1.0): the choice is ours.
    const choices = given.replace(/^\(|\)$/g, '').split(' OR ')
    const allowed = dev ? ALLOWED_TO_DEVELOP : ALLOWED
    return choices.some((choice) => allowed.includes(choice)) ? [] : [`${path} has the licence ${given}.`]
  })
}

/** Lists the folders of the packages that a deployment installs. */
export function atRunTime ({ packages }: Lock): string[] {
  return installed(packages).flatMap(([path, { dev }]) => (dev ? [] : [path]))
}

/** Gives how much of the disk a package takes, in MB, without those that are installed within it. */
export function sizeOf (folder: string): number {
  const sizes = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sizeOf(path) : onDisk(path)
    })
  return sizes.reduce((sum, size) => sum + size, onDisk(folder))
}

/** Gives the blocks of a file or a folder in MB, as du counts them. */
function onDisk (path: string): number {
  return (lstatSync(path).blocks * 512) / 1024 ** 2
}

function installed (packages: Lock['packages']): [path: string, locked: Locked][] {
  return Object.entries(packages).filter(([path]) => path !== '')
}
