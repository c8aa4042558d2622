import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fastify from 'fastify'
import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { registerRoutes } from '../../../src/contract/routes.js'
import { DONE, read } from '../books.js'

const REMOTES = 'http://localhost:1234/draft2020-12/'
const SUBJECT = `${REMOTES}schema-of-the-test`

type Node = Record<string, unknown>
interface Group {
  description: string
  schema: Node | boolean
  tests: { description: string; data: unknown; valid: boolean }[]
}

/** The JSON Schema test suite, which no package has. */
const SUITE: { tests: Record<string, Group[]>; remotes: Record<string, Node> } = JSON.parse(
  readFileSync(new URL('json-schema-suite.json', import.meta.url), 'utf8')
)

/** Why a schema is refused. */
const REFUSALS = [
  /leaves the document/,
  /the schema dialect .* is not supported/,
  /the \$dynamicRef .* may lead to/,
  /the default must .*, by its own schema/
]

/** Tests that have another result, with the reason. */
const DIFFERENT: [test: RegExp, reason: string][] = [
  [/^format: .*is only an annotation by default$/, 'formats are asserted, as callers of an API expect'],
  [/^(properties|required): .*Javascript object property names: all present/, '__proto__ is refused as a name']
]

/** Schemas by their URIs: those that the suite refers to, and those of JSON Schema itself. */
function remoteSchemas (): Map<string, Node> {
  const remotes = Object.entries(SUITE.remotes).map(([name, schema]): [string, Node] => [REMOTES + name, schema])
  const require = createRequire(import.meta.url)
  const parts = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content']
  const own = ['schema', ...parts.map((part) => `meta/${part}`)]
    .map((name): Node => require(`ajv/dist/refs/json-schema-2020-12/${name}.json`))
    .map((schema): [string, Node] => [String(schema.$id), schema])
  return new Map([...remotes, ...own])
}

/** Adds the remote schemas that one refers to, directly or through others, to the components of its document. */
function addRemotes (remotes: Map<string, Node>, node: unknown, base: string, components: Record<string, Node>): void {
  if (typeof node !== 'object' || node === null) return
  const { $id, $ref, $dynamicRef } = node as Node
  const own = typeof $id === 'string' ? new URL($id, base).href : base
  for (const reference of [$ref, $dynamicRef]) {
    if (typeof reference !== 'string' || !URL.canParse(reference, own)) continue
    const uri = new URL(reference, own).href.split('#')[0]!
    const name = uri.replace(/\W/g, '.')
    const remote = remotes.get(uri)
    if (!remote || components[name]) continue
    components[name] = { $id: uri, ...remote }
    addRemotes(remotes, components[name], uri, components)
  }
  for (const child of Object.values(node)) addRemotes(remotes, child, own, components)
}

async function appOf (schema: Node | boolean, schemas: Record<string, Node>) {
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const document = await read({
    paths: { '/books': { put: { operationId: 'putBook', requestBody, responses: DONE } } },
    components: { schemas }
  })
  const app = fastify()
  const handlers = { putBook: () => undefined }
  registerRoutes(app, { document, operations: operationsOf(document), handlers, securitySchemes: {} })
  return app
}

t.test('request bodies are judged as the JSON Schema test suite says', async (t) => {
  const remotes = remoteSchemas()
  const counts = { passed: 0, different: 0, refused: 0 }
  for (const [name, groups] of Object.entries(SUITE.tests)) {
    for (const { description, schema, tests } of groups) {
      const title = `${name}: ${description}`
      // Without an $id, the root of a schema's pointers would be the document.
      const identified = typeof schema === 'boolean' ? schema : { $id: SUBJECT, ...schema }
      const components = {}
      addRemotes(remotes, identified, SUBJECT, components)
      const app = await appOf(identified, components).catch((error: unknown) => error as Error)
      if (app instanceof Error) {
        counts.refused++
        t.type(app, ContractError, title)
        if (!REFUSALS.some((reason) => reason.test(app.message))) t.fail(`${title}: ${app.message}`)
        continue
      }
      for (const { description: test, data, valid } of tests) {
        const request = { method: 'PUT', url: '/books', headers: { 'content-type': 'application/json' } } as const
        const { statusCode } = await app.inject({ ...request, payload: JSON.stringify(data) })
        const isDifferent = DIFFERENT.some(([pattern]) => pattern.test(`${title}: ${test}`))
        if (isDifferent) counts.different++
        else if (statusCode === (valid ? 204 : 400)) counts.passed++
        else t.fail(`${title}: ${test}`, { valid, statusCode })
      }
      await app.close()
    }
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.passed > 1_000, 'the suite was there')
})
