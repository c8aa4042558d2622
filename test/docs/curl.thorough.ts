import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { sectionOf, textOf } from '../support/documents.js'
import { startMock } from '../support/mock.js'
import { startService } from '../support/service.js'

const run = promisify(execFile)
const api = textOf('docs/api.md')
const mock = sectionOf(api, 'Mock')

/** Runs every curl line of a text on a server, in order, and holds what it gives against what the text says. */
async function runCurls (
  t: Test,
  text: string,
  root: string,
  environment: Record<string, string> = {}
): Promise<number> {
  const examples = [...text.matchAll(/```sh\n(curl [^\n]+)\n```\n```json\n([^\n]+)\n```/g)]
  for (const [, command, answer] of examples) {
    const { stdout } = await run('bash', ['-c', command!.replaceAll('http://127.0.0.1:3000', root)], {
      env: { ...process.env, ...environment }
    })
    t.equal(stdout, answer, command!)
  }
  return examples.length
}

t.test('every curl line gives what the documents say, in order, on an empty database', async (t) => {
  const { root, makeKey } = await startService(t)
  const { secret } = await makeKey()
  t.equal(await runCurls(t, textOf('README.md') + api.replace(mock, ''), root, { PETSTORE_KEY: secret }), 6)
})

t.test('every curl line about the mock gives what the documents say', async (t) => {
  const { root } = await startMock(t)
  t.equal(await runCurls(t, mock, root), 3)
})
