import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values']

/**
 * Reads the options of a script's command line. Prints the usage and ends the process with 0 for `--help`, and with 2
 * for words that the script does not know.
 */
export function readOptions<Known extends Options> (usage: string, options: Known): Values<Known> {
  return parse(usage, options, false).values
}

/** Reads options as {@link readOptions} does, and the files that are named beside them. */
export function readOptionsAndFiles<Known extends Options> (
  usage: string,
  options: Known
): { values: Values<Known>; files: string[] } {
  return parse(usage, options, true)
}

function parse<Known extends Options> (
  usage: string,
  options: Known,
  allowPositionals: boolean
): { values: Values<Known>; files: string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals,
      options: { ...options, help: { type: 'boolean', short: 'h' } } as Options
    })
    if (!values.help) return { values: values as Values<Known>, files: positionals }
  } catch (error) {
    refuseArguments(`${(error as Error).message}\n\n${usage}`)
  }
  console.log(usage)
  process.exit()
}

/** Reads a whole number from 1 to 99. Ends the process with 2 when the text is another, after saying so. */
export function readCount (option: string, text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  refuseArguments(`${option} must be a whole number from 1 to 99.`)
}

/** Says what is wrong with the command line, and ends the process with 2. */
export function refuseArguments (message: string): never {
  console.error(message)
  process.exit(2)
}
