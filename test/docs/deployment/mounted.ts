import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../support/documents.js'

/** The files that a service of the composition mounts, copied into a folder where that service would see them. */
export class Mounted {
  readonly #folder: string

  constructor (folder: string, compositionFolder: string, mounts: string[]) {
    this.#folder = folder
    for (const mount of mounts) {
      const [from, to] = mount.split(':') as [string, string]
      if (from.startsWith('.')) cpSync(join(ROOT, compositionFolder, from), join(folder, to))
    }
  }

  /** Gives the path of the copy of a file that the service sees at `path`. */
  at (path: string): string {
    return join(this.#folder, path)
  }

  /** Puts other text in the place of one that must be in the file. */
  replace (file: string, text: string, other: string): void {
    const before = readFileSync(file, 'utf8')
    if (!before.includes(text)) throw new Error(`${file} has no ${text}`)
    writeFileSync(file, before.replace(text, other))
  }
}
