import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { runScript } from '../../scripts/cluster/program.js'
import { callAll } from '../../scripts/documents/call-all.js'
import { serveSamples } from '../../scripts/documents/serve.js'
import { toolPath } from '../../scripts/tools/folder.js'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'
import { withOperationIds } from '../../src/contract/operation/operation-id.js'

const EXAMPLES = '@readme/oas-examples'
const GALAXY = '@scalar/galaxy/dist'

/** The documents in JSON of two packages that have many of the constructs of OpenAPI; the same in YAML are left out. */
const files = [EXAMPLES, GALAXY].flatMap((folder) =>
  readdirSync(toolPath(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && (folder === GALAXY || /^3\.[01]\//.test(name)))
    .map((name) => `${folder}/${name}`)
)

/** Why a document is not served. */
const REFUSED: Record<string, string> = {
  '3.0/json/http-status-codes.json':
    '#/paths/~1status~1100/get: every response is of 1xx, which answers no request (RFC 9110, section 15.2).',
  '3.0/json/openapi-workshop/post.json':
    '#/paths/~1hoot/post/responses is not valid OpenAPI: the value must have at least 1 property.',
  '3.0/json/parameters-style.json':
    '#/paths/~1cookies%23formNonExploded/get: the path /cookies#formNonExploded has a query or a fragment, which is not part of a path.',
  '3.0/json/response-examples.json':
    "#/paths/~1examples/get/responses/default/content: 'text/csv, text/comma-separated-values' is no media type.",
  '3.0/json/schema-types.json':
    '#/paths/~1anything~1strings/post/requestBody/content/application~1json/schema/properties/default%20(null)/default: the default must be a string, by its own schema.',
  '3.0/json/schema-validation.json':
    '#/paths/~1anything~1jsonschema-formats/parameters/2/schema/default: the default must be a valid time, by its own schema.',
  '3.1/json/schema-types.json':
    '#/paths/~1anything~1strings/post/requestBody/content/application~1json/schema/properties/default%20(null)/default: the default must be a string, by its own schema.',
  '3.1/json/parameters-style.json':
    '#/paths/~1cookies%23formNonExploded/get: the path /cookies#formNonExploded has a query or a fragment, which is not part of a path.',
  '3.1/json/schema-validation-local.json':
    '#/paths/~1anything~1numbers/parameters/3/schema: the schema dialect http://json-schema.org/draft-04/schema# is not supported; https://spec.openapis.org/oas/3.1/dialect/base and https://json-schema.org/draft/2020-12/schema are.',
  '3.1/json/schema-validation-top-level.json':
    '#/jsonSchemaDialect: the schema dialect http://json-schema.org/draft-04/schema# is not supported; https://spec.openapis.org/oas/3.1/dialect/base and https://json-schema.org/draft/2020-12/schema are.'
}

/** Responses for which there is no valid value. */
const WITHOUT_EXAMPLE: Record<string, string[]> = {
  // A TreeNode requires a parent, which is a TreeNode.
  '3.0/json/circular-request-bodies.json': ['directCircular: 200 application/json'],
  // The default of data.plan.grace_period.end_date is null, which its schema does not allow.
  '3.1/json/readme.json': ['getProject: 200 application/json']
}

t.test('real documents are served, every operation of them, or refused with the place', async (t) => {
  let calls = 0
  for (const file of files) {
    const reason = REFUSED[file.slice(EXAMPLES.length + 1)]
    const start = readDocument(readFileSync(toolPath(file), 'utf8'))
      .then(withOperationIds)
      .then(async (document) => ({ document, server: await serveSamples(document) }))
    if (reason !== undefined) {
      await t.rejects(start, new ContractError(reason), file)
      continue
    }
    const { document, server } = await start
    const { counts, faults } = await callAll(server, document)
    const others = faults.filter((fault) => !fault.includes('No valid example was found'))
    t.same(others, [], `${file}: ${JSON.stringify(counts)}`)
    const missing = WITHOUT_EXAMPLE[file.slice(EXAMPLES.length + 1)] ?? []
    t.same(server.withoutExample, missing, `${file}: the other responses have valid examples`)
    calls += server.operations.length
    await server.app.close()
  }
  t.comment(
    `${files.length - Object.keys(REFUSED).length} of ${files.length} documents served, ${calls} operations called`
  )
  t.ok(files.length > 60 && calls > 450, 'there are enough of them')
})

const documents = (...args: string[]) => runScript('documents', ...args)

t.test('npm run documents says what was served and what not, for people and for machines', async (t) => {
  const [good, bad] = [
    `tools/node_modules/${GALAXY}/3.1.json`,
    `tools/node_modules/${EXAMPLES}/3.0/json/openapi-workshop/post.json`
  ]
  const both = await documents('--check', good, bad)
  t.match(
    both.stdout,
    /^served {3}tools\/node_modules\/@scalar\/galaxy\/dist\/3\.1\.json: \d+ operations, \d+ ms, \d+ MB\nrefused {2}.*post\.json: #\/paths.* is not valid OpenAPI: .*\n1 passed, 1 failed\n$/
  )
  t.equal(both.code, 1)
  const one = await documents('--call', '--json', good)
  t.match(JSON.parse(one.stdout), {
    file: good,
    served: true,
    operations: Number,
    milliseconds: Number,
    megabytes: Number,
    counts: { '2xx': Number },
    faults: []
  })
  t.equal(one.code, 0)
  t.match(await documents('--check', '--json', bad), {
    code: 1,
    stdout: /^\{"file":"[^"]+","served":false,"reason":"#\/paths\/~1hoot\/post\/responses is not valid/
  })
  t.match(await documents('--check', 'nowhere.yaml'), { code: 1, stdout: /^refused {2}nowhere\.yaml: There is no such file\.\n/ })
  t.match(await documents('--help'), { code: 0, stdout: /^Usage: npm run documents/ })
  for (const args of [[], [good, good], ['--nonsense', good]]) {
    t.match(await documents(...args), { code: 2, stdout: '', stderr: /Usage: npm run documents/ }, args.join(' '))
  }
})
