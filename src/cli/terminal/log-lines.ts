import { styleText } from 'node:util'
import pretty from 'pino-pretty'
import { escapeInvisible } from './invisible.js'

/** The line of an answer, as plugins/answer/request-log.ts writes it. */
interface Answered {
  time: number
  method: string
  path: string
  status: number
  ms: number
  keyId?: string
  code?: string
}

interface Terminal {
  /** How many characters a line has; undefined where that is not known. */
  columns?: number | undefined
  colors: boolean
}

/** Least that is shown of a path where the line has no room for more, in characters. */
const SHORTEST_PATH = 20
/** The local time of day, to the millisecond. */
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 })
const COLORS = { 2: 'green', 3: 'cyan', 4: 'yellow', 5: 'red' } as const

/**
 * Gives the function that makes lines for people of the JSON lines of the log. An answer is one line that fits the
 * terminal: time, method, path, status, milliseconds, and where there are such, the id of the key and the code of the
 * error.
 */
export function linesForPeople (terminal: () => Terminal): (json: string) => string {
  const line = pretty.prettyFactory({
    colorize: terminal().colors,
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: false,
    customPrettifiers: { time: (time) => TIME.format(Number(time)) }
  })
  return (json) => {
    const fields = JSON.parse(json) as { msg?: string }
    if (fields.msg === 'answered') return `${lineOfAnswer(fields as Answered, terminal())}\n`
    return String(line(JSON.parse(json, (_name, value) => (typeof value === 'string' ? escapeInvisible(value) : value))))
  }
}

function lineOfAnswer ({ time, method, path, status, ms, keyId, code }: Answered, terminal: Terminal): string {
  const before = `${TIME.format(time)} ${method.padEnd(6)} `
  const behind = [` ${ms.toFixed(1)} ms`, keyId, code].filter((part) => part !== undefined).join(' ')
  const room = (terminal.columns ?? Infinity) - before.length - ` ${status}${behind}`.length
  const shown = shortened(printable(path), Math.max(room, SHORTEST_PATH))
  const color = COLORS[Math.floor(status / 100) as keyof typeof COLORS] ?? 'magenta'
  return `${before}${shown} ${terminal.colors ? styleText(color, String(status), { validateStream: false }) : status}${behind}`
}

/** Percent-encodes what a terminal would not show but obey, and what it would show in another order. */
function printable (path: string): string {
  return path.replaceAll(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()))
}

function shortened (text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
