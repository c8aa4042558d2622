#!/usr/bin/env tsx
// Sends the flows of openapi/petstore.arazzo.yaml to the compiled program, or to a service that runs elsewhere, by a
// tool that knows nothing of this project: Redocly checks each answer against the document. Exit 1 when a check fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram, startProgram } from './cluster/program.js'
import { readOptions } from './arguments.js'
import { toolPath } from './tools/folder.js'

const options = readOptions(
  'Usage: npm run flows [-- --url URL]\n\nSends the flows of openapi/petstore.arazzo.yaml to the compiled program.\n  --url  the base address of another service, such as https://staging.example/v1; its key is in PETSTORE_KEY',
  { url: { type: 'string' } }
)
const { PETSTORE_KEY } = process.env
if (options.url !== undefined && PETSTORE_KEY === undefined) {
  console.error('--url needs the key of that service in PETSTORE_KEY.')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'petstore-flows-'))
const ends: (() => unknown)[] = []
try {
  const { url, key } = options.url === undefined ? await startOwn() : { url: options.url, key: PETSTORE_KEY! }
  // The key is not an argument, which everyone on the machine could read.
  const environment = {
    ...process.env,
    REDOCLY_CLI_RESPECT_INPUT: `key=${key}`,
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true'
  }
  const flows = fileURLToPath(new URL('../openapi/petstore.arazzo.yaml', import.meta.url))
  const redocly = spawn(toolPath('.bin/redocly'), ['respect', flows, '--server', `petstore=${url}`], {
    env: environment,
    stdio: 'inherit'
  })
  const [code] = (await once(redocly, 'exit')) as [number | null]
  process.exitCode = code === 0 ? 0 : 1
} finally {
  for (const end of ends) await end()
  await rm(folder, { recursive: true, force: true })
}

async function startOwn (): Promise<{ url: string; key: string }> {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
  const { root } = await startProgram(
    {
      teardown: (end: () => unknown) => {
        ends.push(end)
      }
    } as Parameters<typeof startProgram>[0],
    environment
  )
  const { stdout } = await runProgram(['keys', 'create', '--json'], environment)
  return { url: `${root}/v1`, key: (JSON.parse(stdout.trim().split('\n').at(-1)!) as { key: string }).key }
}
