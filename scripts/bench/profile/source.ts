import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import type { Profiler } from 'node:inspector'
import { fileURLToPath } from 'node:url'

/** Where a function stands: `src/app.ts` and its line, from 1. */
export interface Place {
  path: string
  line: number
}

const maps = new Map<string, SourceMap | undefined>()

/** Finds where a function of the built program stands in src/; undefined for one of another file. */
export function sourceOf ({ url, lineNumber, columnNumber }: Profiler.Profile['nodes'][0]['callFrame']): Place | undefined {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return undefined
  if (!maps.has(url)) maps.set(url, mapOf(url))
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber)
  if (!entry || !('originalSource' in entry)) return undefined
  const [path] = /src\/.*$/.exec(entry.originalSource) ?? []
  return path === undefined ? undefined : { path, line: entry.originalLine + 1 }
}

function mapOf (url: string): SourceMap | undefined {
  const file = `${fileURLToPath(url)}.map`
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}
