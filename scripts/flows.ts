#!/usr/bin/env tsx
// Sends the flows of openapi/petstore.arazzo.yaml to the compiled program, or to a service that runs elsewhere, by a
// tool that knows nothing of this project: Redocly checks each answer against the document.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runForJson, startProgram } from './cluster/program.js'
import { readOptions, refuseArguments } from './command/arguments.js'
import { temporaryFolder, type Lifetime } from './command/lifetime.js'
import { runToTheEnd } from './command/run.js'

const options = readOptions(
  `Usage: npm run flows [-- --url URL]

Sends the flows of openapi/petstore.arazzo.yaml to the compiled program. Exit code 1 when an answer is not as it should.

  --url URL  the base address of another service, such as https://staging.example/v1; its key is in PETSTORE_KEY`,
  { url: { type: 'string' } }
)
const { PETSTORE_KEY } = process.env
if (options.url !== undefined && PETSTORE_KEY === undefined) {
  refuseArguments('--url needs the key of that service in PETSTORE_KEY.')
}

await runToTheEnd(async (lifetime) => {
  const { url, key } = options.url === undefined ? await startOwn(lifetime) : { url: options.url, key: PETSTORE_KEY! }
  const flows = fileURLToPath(new URL('../openapi/petstore.arazzo.yaml', import.meta.url))
  const redocly = spawn('redocly', ['respect', flows, '--server', `petstore=${url}`], {
    // The key is not an argument, which everyone on the machine could read.
    env: { ...process.env, REDOCLY_CLI_RESPECT_INPUT: `key=${key}`, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: 'inherit'
  })
  const [code] = (await once(redocly, 'exit')) as [number | null]
  return code === 0 ? 0 : 1
})

async function startOwn (lifetime: Lifetime): Promise<{ url: string; key: string }> {
  const folder = await temporaryFolder(lifetime)
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
  const { root } = await startProgram(lifetime, environment)
  const { key } = await runForJson(['keys', 'create'], environment)
  return { url: `${root}/v1`, key }
}
