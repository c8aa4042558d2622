import { Command } from 'commander'
import { readConfig, SETTINGS, type Config } from '../config.js'
import type { Context } from './context.js'
import { listen } from './listen.js'
import { logTaken } from './log.js'
import { exitOnSignals } from './stop.js'
import { settingsHelp, type SettingName } from './terminal/settings-help.js'

const HELP = `
A call chooses another answer by its status, by the name of its example, or by
both:
  Prefer: code=404
  Prefer: code=201, example=least`

/**
 * The settings of the service that make no sense without a database, without what is to be finished at the end, or
 * where nobody has to be told how it runs.
 */
const UNUSED: SettingName[] = [
  'DATABASE_URL',
  'DATABASE_ANEW',
  'NODE_ENV',
  'REDIS_URL',
  'DRAIN_DELAY',
  'METRICS_PORT',
  'METRICS_HOST',
  'BACKUP_PATH',
  'OTEL_EXPORTER_OTLP_ENDPOINT'
]
const USED = (Object.keys(SETTINGS) as SettingName[]).filter((name) => !UNUSED.includes(name))

/** `petstore mock`: a server that answers with the examples of the document. */
export function mockCommand (context: Context): Command {
  return new Command('mock')
    .description(
      'Answer from the examples of the document, for those who have no server yet: ' +
        'checked like the service, without a database or keys.'
    )
    .option('--require-key', 'answer 401 to a call without a bearer key; any key will do')
    .addHelpText('after', HELP)
    .addHelpText('after', settingsHelp(USED))
    .addHelpText('after', '\nExample:\n  PORT=4010 petstore mock --require-key')
    .action(({ requireKey = false }: { requireKey?: boolean }) => mock(context, requireKey))
}

async function mock ({ env, out }: Context, requireKey: boolean): Promise<void> {
  // It has no database, so nobody is told that theirs is wrong.
  const config = readConfig({ ...env, DATABASE_URL: '' })
  const { buildMock } = await import('../mock.js')
  const { basePathOf } = await import('../contract/index.js')
  const { serverOptionsOf } = await import('./server-options.js')
  const { warnings, ...options } = await serverOptionsOf(config)
  const app = await buildMock({ ...options, requireKey })
  for (const warning of warnings) app.log.warn(warning)
  const root = await listen(app, config)
  exitOnSignals(0, logTaken)
  out.stderr.write(greeting(options.document.info.title, root, basePathOf(options.document), config, requireKey))
}

/** Tells the person who started the mock where it is and how to call it. */
function greeting (title: string, root: string, basePath: string, { DOCS }: Config, requireKey: boolean): string {
  const address = `${root}${basePath}/pets`
  const curl = `curl ${requireKey ? '-H "Authorization: Bearer any" ' : ''}`
  return [
    `Mock of the ${title} on ${root}${basePath}${DOCS ? `, docs page on ${root}/docs` : ''}`,
    'It answers with the examples of the document and stores nothing. ' +
      `${requireKey ? 'Any key will do' : 'It needs no key'}. First call:`,
    '',
    `  ${curl}${address}`,
    '',
    'Prefer chooses another answer, by its status or the name of its example:',
    '',
    `  ${curl}-H "Prefer: code=429" ${address}`,
    `  ${curl}-H "Prefer: example=keyBanned" ${address}`,
    '',
    ''
  ].join('\n')
}
