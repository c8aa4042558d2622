/** What one test file, or several, asserted. */
export interface Counts {
  assertions: number
  failed: number
  skipped: number
}

const END = '# end of file '

/** Writes the comment that stands in TAP behind the last test of a file. */
export function endOfFile (counts: Counts): string {
  return `${END.slice(2)}${JSON.stringify(counts)}`
}

/** Reads the counts from a line of TAP that ends a file; undefined for any other line. */
export function readEndOfFile (line: string): Counts | undefined {
  return line.startsWith(END) ? JSON.parse(line.slice(END.length)) : undefined
}

/** Tells whether a line of TAP is what a test says of itself, such as a figure that it has measured. */
export function isComment (line: string): boolean {
  return /^ *# (?!Subtest: |time=|\{)/.test(line)
}

/**
 * Picks from the TAP of a file what tells of a failure: the assertions with their details, their tests, and comments.
 */
export function failuresIn (lines: string[]): string[] {
  const failures: string[] = []
  let details = ''
  let source = false
  for (const line of lines) {
    if (details !== '') {
      // The lines of the test are an editor's business.
      if (/^\w|^\.\.\./.test(line.slice(details.length))) source = line.startsWith('source:', details.length)
      if (!source) failures.push(line)
      if (line === `${details}...`) details = ''
    } else if (/^ *not ok/.test(line) || isComment(line)) {
      failures.push(line)
    } else if (/^ *---$/.test(line) && isAssertion(failures.at(-1))) {
      failures.push(line)
      details = line.slice(0, -3)
    }
  }
  return failures
}

/** Tells an assertion from a test that failed because of one, for which TAP shows its time. */
function isAssertion (line = ''): boolean {
  return /^ *not ok/.test(line) && !line.includes(' # time=')
}
