import { errorCodeValues } from 'petstore/types'
import t from 'tap'
import { SETTINGS } from '../../src/config.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { ERROR_CODES, statusOf } from '../../src/domain/errors.js'
import { PLANS, PLAN_NAMES } from '../../src/domain/plans.js'
import { SCOPES } from '../../src/domain/scopes.js'
import { bare, tableUnder, textOf } from '../support/documents.js'
import { document, guide } from '../support/service.js'

t.test('the table of operations is that of the document', async (t) => {
  const wanted = operationsOf(document).map(
    ({ operationId, method, route, security, deprecation, stability }) => [
      operationId,
      `${method.toUpperCase()} ${route}`,
      Object.values(security[0]!).flat().join(', '),
      deprecation ? 'deprecated' : (stability ?? 'stable')
    ]
  )
  t.same(
    tableUnder(textOf('README.md'), 'What it does').map((row) => row.map(bare)),
    wanted
  )
})

t.test('the table of errors is the table of the program and of the guide', async (t) => {
  const wanted = ERROR_CODES.map((code) => [code, String(statusOf(code))])
  t.same(errorCodeValues, ERROR_CODES)
  t.same(
    tableUnder(textOf('docs/api.md'), 'Errors').map((row) => row.slice(0, 2).map(bare)),
    wanted
  )
  t.same(
    tableUnder(guide, 'Errors').map((row) => row.map(bare)),
    wanted
  )
})

t.test('the table of plans is the table of the program and of the guide', async (t) => {
  const number = (value: number) => value.toLocaleString('en-US')
  const wanted = PLAN_NAMES.map((name) =>
    name === 'enterprise'
      ? [name, 'agreed', 'agreed']
      : [name, number(PLANS[name].perMinute), number(PLANS[name].perDay)]
  )
  t.same(tableUnder(textOf('docs/api.md'), 'Limits'), wanted)
  t.same(
    tableUnder(guide, 'Limits').map(([name, ...rest]) => [name!.toLowerCase(), ...rest]),
    wanted
  )
})

t.test('the table of scopes is the table of the program', async (t) => {
  t.same(
    tableUnder(textOf('docs/operating.md'), 'API keys').map(([name, meaning]) => [bare(name!), meaning]),
    Object.entries(SCOPES)
  )
})

t.test('the table of settings is the table of the program', async (t) => {
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? 'on' : 'off'
    return Array.isArray(value) ? '' : String(value ?? '')
  }
  const wanted = Object.entries(SETTINGS).map(([name, { default: value, desc }]) => [name, shown(value), desc])
  t.same(
    tableUnder(textOf('docs/operating.md'), 'Configuration').map(([name, value, meaning]) => [
      bare(name!),
      bare(value!),
      meaning
    ]),
    wanted
  )
})

t.test('the table of pinned versions is that of the package', async (t) => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
  const ranges = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides }
  const rows = tableUnder(textOf('CONTRIBUTING.md'), 'Pinned versions')
  t.ok(rows.length > 0)
  for (const [name, version] of rows) {
    const range = ranges[bare(name!)] ?? 'nothing'
    t.ok(range.replace(/^\D/, '').startsWith(`${version}.`), `${name} ${version}: ${range}`)
  }
})
