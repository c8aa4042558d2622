import { html } from 'ghtml'

const KEYWORDS =
  'as|async|await|const|def|do|done|else|except|for|from|function|if|import|in|let|new|not|of|or|and|raise|return|' +
  'try|while|with'

/** A comment, a string or a keyword, in the shell, JavaScript, TypeScript and Python alike. */
const TOKENS = new RegExp(
  [
    '(?<comment>(?<=^|\\s)(?://|#) .*)',
    '(?<string>\'(?:[^\'\\\\\\n]|\\\\.)*\'|"(?:[^"\\\\\\n]|\\\\.)*"|`(?:[^`\\\\]|\\\\.)*`)',
    `(?<keyword>(?<![\\w.-])(?:${KEYWORDS})(?![\\w-]))`
  ].join('|'),
  'gm'
)

/** Writes code as HTML in which comments, strings and keywords have a class each. */
export function highlighted (code: string): string {
  let written = ''
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups).find(([, found]) => found !== undefined)!
    written += html`${code.slice(end, index)}<span class="${kind}">${text}</span>`
    end = index + text.length
  }
  return written + html`${code.slice(end)}`
}
