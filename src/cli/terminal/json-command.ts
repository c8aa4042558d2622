import { Command } from 'commander'

export const JSON_HELP = 'print one JSON object on the last line'

/** Makes a subcommand that prints for a person, or for a program when `--json` is given. */
export function jsonCommand (name: string, description: string): Command {
  return new Command(name).description(description).option('--json', JSON_HELP)
}
