#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { keysCommand } from './cli/keys.js'
import { migrateDataCommand } from './cli/migrate-data.js'
import { mockCommand } from './cli/mock.js'
import { ordersCommand } from './cli/orders.js'
import { seedCommand } from './cli/seed.js'
import { serveCommand } from './cli/serve.js'
import { ConfigError } from './config.js'
import { ContractError } from './contract/document/contract-error.js'
import { StorageUnavailable } from './domain/errors.js'
import { PlanError } from './domain/plans.js'
import { EXIT_CONFIGURATION, EXIT_TEMPORARY, StartRefusal } from './domain/start-refusal.js'

/** Wrong words on the command line. */
const EXIT_USAGE = 2

const manifest = new URL(import.meta.resolve('petstore/package.json'))
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

const program = new Command('petstore')
  .description('The Petstore API service.')
  .version(version)
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()
  .addCommand(serveCommand(), { isDefault: true })
  .addCommand(mockCommand())
  .addCommand(keysCommand())
  .addCommand(ordersCommand())
  .addCommand(seedCommand())
  .addCommand(migrateDataCommand())

for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
  command.exitOverride().showHelpAfterError('Add --help for the usage.')
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/**
 * Tells a person what is wrong in a sentence, without a stack where the sentence says it all, and gives the exit code.
 */
function report (error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  const exitCode = exitCodeOf(error)
  console.error(exitCode === undefined ? error : `petstore: ${(error as Error).message}`)
  return exitCode ?? 1
}

/** undefined for a fault of the program. */
function exitCodeOf (error: unknown): number | undefined {
  if (error instanceof StartRefusal) return error.exitCode
  if (error instanceof StorageUnavailable) return EXIT_TEMPORARY
  if (error instanceof ConfigError || error instanceof ContractError) return EXIT_CONFIGURATION
  return error instanceof PlanError ? EXIT_USAGE : undefined
}
