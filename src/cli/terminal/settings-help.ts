import type { Command } from 'commander'
import { SETTINGS } from '../../config.js'

/** The name of a setting, which is that of its environment variable. */
export type SettingName = keyof typeof SETTINGS

/** A function that writes a text to be added to the help of a command, as commander asks for one. */
type HelpText = (context: { command: Command }) => string

/** Makes the part of a help text that lists environment variables: all of them, or those that are named. */
export function settingsHelp (names = Object.keys(SETTINGS) as SettingName[]): HelpText {
  return ({ command }) => {
    const helper = command.createHelp()
    helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 })
    const width = Math.max(...names.map((name) => name.length))
    const items = names.map((name) => {
      const { default: value, desc = '' } = SETTINGS[name]
      return helper.formatItem(name, width, desc.replaceAll('`', '') + defaultText(value), helper)
    })
    return `\nEnvironment:\n${items.join('\n')}`
  }
}

function defaultText (value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return ''
  const switched = value ? 'on' : 'off'
  return ` (default: ${typeof value === 'boolean' ? switched : String(value)})`
}
