import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.js'
import { withoutSecrets } from '../domain/api-keys.js'
import { StorageUnavailable } from '../domain/errors.js'
import { PlanError } from '../domain/plans.js'
import { EXIT_CONFIGURATION, EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'
import { CommandFailure } from './command-failure.js'
import type { Context, Output } from './context.js'
import { readPackageFile } from './files/package-file.js'
import { keysCommand } from './keys.js'
import { backupCommand } from './database/backup.js'
import { migrateDataCommand } from './database/migrate-data.js'
import { mockCommand } from './mock.js'
import { ordersCommand } from './orders.js'
import { restoreCommand } from './database/restore.js'
import { seedCommand } from './database/seed.js'
import { serveCommand } from './serve.js'
import { escapeInvisible } from './terminal/invisible.js'

/** What every message begins with. */
const PREFIX = 'petstore: '
/** The program's name in a line of help that can be run, behind variables or not. */
const OWN_NAME = /^(Usage: | {2}(?:[A-Z_]+=\S+ )*)petstore\b/gm
const EXIT_FAILURE = 1
/** Wrong words on the command line. */
const EXIT_USAGE = 2

/**
 * Runs `petstore` with the arguments of a command line, and gives its exit code. A server is listening then, and goes
 * on until a signal stops the process.
 */
export async function run (args: string[], context: Context): Promise<number> {
  try {
    await programOf(context).parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' })
    return 0
  } catch (error) {
    return await report(error, context.out)
  }
}

function programOf (context: Context): Command {
  const { version } = JSON.parse(readPackageFile('package.json')) as { version: string }
  const program = new Command('petstore')
    .description('The Petstore API service.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .addCommand(serveCommand(context))
    .addCommand(mockCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(ordersCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(seedCommand(context))
    .addCommand(migrateDataCommand(context))
  const { stdout, stderr } = context.out
  const named = (text: string) => text.replaceAll(OWN_NAME, `$1${context.program}`)
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError('Add --help for the usage.')
      // A secret that was typed in the wrong place is not repeated.
      .configureOutput({
        writeOut: (text) => stdout.write(named(text)),
        writeErr: (text) => stderr.write(escapeInvisible(withoutSecrets(named(text)))),
        outputError: (text, write) => write(text.replace(/^error: /, PREFIX))
      })
  }
  return program
}

/**
 * Tells a person what is wrong in a sentence, without a stack where the sentence says it all, and gives the exit code.
 */
async function report (error: unknown, { stderr }: Output): Promise<number> {
  // Commander has told what is wrong already, or has given the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  const exitCode = await exitCodeOf(error)
  const text = exitCode === undefined ? inspect(error) : PREFIX + (error as Error).message
  stderr.write(`${escapeInvisible(withoutSecrets(text))}\n`)
  return exitCode ?? EXIT_FAILURE
}

/** Gives the exit code of what the operator can put right; undefined for a fault of the program. */
async function exitCodeOf (error: unknown): Promise<number | undefined> {
  if (error instanceof StartRefusal) return error.exitCode
  if (error instanceof StorageUnavailable) return EXIT_TEMPORARY
  if (error instanceof ConfigError) return EXIT_CONFIGURATION
  if (error instanceof PlanError) return EXIT_USAGE
  if (error instanceof CommandFailure) return EXIT_FAILURE
  // Loaded here, since only what serves needs the contract layer, and the other subcommands start at once.
  const { ContractError } = await import('../contract/index.js')
  return error instanceof ContractError ? EXIT_CONFIGURATION : undefined
}
