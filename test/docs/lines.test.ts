import t from 'tap'
import { DOCUMENTS, textOf } from '../support/documents.js'

/** The lines of a document that can be broken: those outside of code and tables that have more than one word. */
function proseOf (text: string): string[] {
  const outsideCode = text.split(/^```.*$/m).filter((_, index) => index % 2 === 0)
  return outsideCode.flatMap((part) => part.split('\n')).filter((line) => !line.startsWith('|') && / /.test(line.trim()))
}

for (const path of [...DOCUMENTS, 'openapi/guide.md']) {
  t.test(`no line of prose in ${path} has more than 120 characters`, async (t) => {
    for (const line of proseOf(textOf(path))) if (line.length > 120) t.fail(line)
  })
}
