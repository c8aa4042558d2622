#!/usr/bin/env tsx
// Serves any OpenAPI 3.0, 3.1 or 3.2 document with samples as answers, or says in a sentence why not.
import type { FastifyInstance } from 'fastify'
import { ContractError } from '../src/contract/document/contract-error.js'
import { withOperationIds } from '../src/contract/operation/operation-id.js'
import { readOptionsAndFiles, refuseArguments } from './command/arguments.js'
import { clearProgress, showProgress } from './command/progress.js'
import { callAll, type Answers } from './documents/call-all.js'
import { readDocumentFile } from './documents/read-file.js'
import { serveSamples } from './documents/serve.js'

const USAGE = `Usage: npm run documents -- [options] FILE...

Serves an OpenAPI 3.0, 3.1 or 3.2 document, in YAML or JSON, with the files below its folder that it refers to. Each
answer is an example of the document, or a valid value of its schemas; where none is found, the operation answers 501 and
is named. A document that could not be served whole is
refused with a sentence that names the place. Request bodies that are not checked are named: those of bytes or text whose
schema is an object.

  --check      serve nothing, only start; any number of files
  --call       the same, and call each operation once with the least that it asks for
  --port PORT  where to listen on 127.0.0.1 (default 3001)
  --json       a line of JSON for each file
  -h, --help   this text

Exit codes: 0 all were served, 1 one was refused or answered a call with a fault, 2 wrong words on the command line`

/** How many bodies that are not checked a person is told of. */
const MOST_UNCHECKED = 5

interface Result extends Partial<Answers> {
  file: string
  served: boolean
  operations?: number
  unchecked?: string[]
  withoutExample?: string[]
  reason?: string
  milliseconds: number
  megabytes: number
}

const { values: options, files } = readOptionsAndFiles(USAGE, {
  check: { type: 'boolean' },
  call: { type: 'boolean' },
  json: { type: 'boolean' },
  port: { type: 'string', default: '3001' }
})
const onlyTry = options.check || options.call
if (files.length === 0 || (files.length > 1 && !onlyTry)) {
  refuseArguments(`Name a file, or with --check as many as you like.\n\n${USAGE}`)
}

let served = 0
for (const [index, file] of files.entries()) {
  showProgress(`${index + 1} of ${files.length}: ${file} …`)
  const { result, app } = await tryDocument(file)
  clearProgress()
  if (result.served && !result.faults?.length) served++
  console.log(options.json ? JSON.stringify(result) : lineOf(result))
  if (onlyTry) await app?.close()
  else if (app) console.log(`Listening on ${await app.listen({ host: '127.0.0.1', port: Number(options.port) })}`)
}
if (files.length > 1 && !options.json) console.log(`${served} passed, ${files.length - served} failed`)
if (served < files.length) process.exitCode = 1

async function tryDocument (file: string): Promise<{ result: Result; app?: FastifyInstance }> {
  const before = performance.now()
  const figures = () => ({
    milliseconds: Math.round(performance.now() - before),
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024)
  })
  try {
    const document = withOperationIds(await readDocumentFile(file))
    const server = await serveSamples(document)
    const { app, operations, unchecked, withoutExample } = server
    const started = { file, served: true, operations: operations.length, unchecked, withoutExample, ...figures() }
    return { app, result: options.call ? { ...started, ...(await callAll(server, document)) } : started }
  } catch (error) {
    if (!(error instanceof ContractError) && (error as NodeJS.ErrnoException).syscall === undefined) throw error
    return { result: { file, served: false, reason: (error as Error).message, ...figures() } }
  }
}

function lineOf (result: Result): string {
  const { file, served, operations, reason, milliseconds, megabytes, counts } = result
  const { unchecked = [], withoutExample = [], faults = [] } = result
  if (!served) return `refused  ${file}: ${reason}`
  const answers = Object.entries(counts ?? {}).map(([kind, count]) => `${kind} ${count}`)
  const calls = answers.length > 0 ? `, answers ${answers.join(' ')}` : ''
  const figures = `${operations} operations, ${milliseconds} ms, ${megabytes} MB${calls}`
  const notChecked = unchecked.slice(0, MOST_UNCHECKED).map((body) => `not checked: the body of ${body}`)
  const others = unchecked.length - notChecked.length
  if (others > 0) notChecked.push(`not checked: ${others} more bodies, which --json lists`)
  const missing = withoutExample.map((response) => `no example: ${response}`)
  return [`served   ${file}: ${figures}`, ...notChecked, ...missing, ...faults].join('\n  ')
}
