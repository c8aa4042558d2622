import { join } from 'node:path'
import type { Test } from 'tap'
import { runForJson, startProgram, type Running } from '../../scripts/cluster/program.js'
import { temporaryFolder } from '../../scripts/command/lifetime.js'
import { ensureFile } from '../../src/storage/database/sqlite/file.js'
import { sendTo } from '../support/service.js'
import { startReceiver, type Receiver } from './receiver.js'

export interface Traced {
  program: Running
  receiver: Receiver
  secret: string
  keyId: string
  /** Its database. */
  file: string
  fetch: ReturnType<typeof sendTo>
}

/** Runs the program with traces, which a receiver takes, until the test ends. */
export async function startTraced (t: Test, environment: Record<string, string> = {}): Promise<Traced> {
  const receiver = await startReceiver(t)
  const file = join(await temporaryFolder(t), 'petstore.db')
  ensureFile(file, { create: true })
  const database = { DATABASE_URL: `sqlite:${file}` }
  const { key: secret, id: keyId } = await runForJson(['keys', 'create', '--plan', 'pro', '--name', 'test'], database)
  const program = await startProgram(t, {
    ...database,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    ...environment
  })
  return { program, receiver, secret, keyId, file, fetch: sendTo(program.root) }
}

/** The lines of the log. */
export const linesOf = ({ stdout }: Running): any[] =>
  stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
