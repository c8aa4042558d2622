import { Command } from 'commander'
import { readConfig } from '../config.js'
import { listen } from './listen.js'
import { serverOptionsOf } from './server-options.js'

export function mockCommand (): Command {
  return new Command('mock')
    .description(
      'Answer from the examples of the document, for those who have no server yet: checked like the service, without a database or keys.'
    )
    .option('--require-key', 'answer 401 to a call without a bearer key; any key will do')
    .addHelpText(
      'after',
      `
A call chooses another answer by its status, by the name of its example, or by both:
  Prefer: code=404
  Prefer: code=201, example=least

Settings come from the environment, as for serve: HOST, PORT, CORS_ORIGIN, DOCS, LOG_LEVEL and so on.

Example:
  PORT=4010 petstore mock --require-key`
    )
    .action(mock)
}

async function mock ({ requireKey = false }: { requireKey?: boolean }): Promise<void> {
  // It has no database, so nobody is told that theirs is wrong.
  const config = readConfig({ ...process.env, DATABASE_URL: '' })
  const { buildMock } = await import('../mock.js')
  const { basePathOf } = await import('../contract/index.js')
  const options = await serverOptionsOf(config)
  const app = await buildMock({ ...options, requireKey })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
  const root = await listen(app, config)
  const address = `${root}${basePathOf(options.document)}/pets`
  const key = requireKey ? '-H "Authorization: Bearer any" ' : ''
  console.error(`Mock of the ${options.document.info.title} on ${root}${basePathOf(options.document)}${config.DOCS ? `, docs page on ${root}/docs` : ''}
It answers with the examples of the document and stores nothing. ${requireKey ? 'Any key will do' : 'It needs no key'}. First call:

  curl ${key}${address}

Prefer chooses another answer, by its status or the name of its example:

  curl ${key}-H "Prefer: code=429" ${address}
  curl ${key}-H "Prefer: example=keyBanned" ${address}
`)
}
