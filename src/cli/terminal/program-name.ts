import { basename, relative, sep } from 'node:path'

/** Returns the words that run the program again, from the path of its file: `node dist/main.js`. */
export function programName (file: string, folder: string): string {
  const path = file.startsWith(folder + sep) ? relative(folder, file) : file
  if (file.endsWith('.ts')) return `npx tsx ${path}`
  return file.endsWith('.js') ? `node ${path}` : basename(file)
}
