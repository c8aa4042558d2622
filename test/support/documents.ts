import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Reads a file by its path from the folder of the project. */
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The paths of all documents: at the top, in docs/, and beside the code that they are about. */
export const DOCUMENTS = [
  ...readdirSync(ROOT),
  ...['docs', 'src', 'generated'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  )
].filter((path) => path.endsWith('.md'))

/** The text between a heading of the second level and the next one. */
export function sectionOf (text: string, heading: string): string {
  const [, section] = `\n${text}`.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`There is no heading "${heading}".`)
  return section.split('\n## ')[0]!
}

/** The rows of the first table under a heading, each a list of cells. */
export function tableUnder (text: string, heading: string): string[][] {
  const lines = sectionOf(text, heading).split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  return lines.slice(first + 2, first + length).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

/** A cell without its backticks. */
export const bare = (cell: string): string => cell.replaceAll('`', '')

/** The code blocks of a language, as a person would copy them. */
export function blocksOf (text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].flatMap(([, name, code]) => (name === language ? [code!] : []))
}
