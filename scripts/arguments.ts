import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values']

/**
 * The options of a script's command line. Prints the usage and ends the process with 0 for `--help`, and with 2 for
 * words that the script does not know.
 */
export function readOptions<Known extends Options> (usage: string, options: Known): Values<Known> {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } as Options })
    if (!values.help) return values as Values<Known>
    console.log(usage)
    process.exit()
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}
