import { basePathOf } from '../../src/contract/document/servers.js'
import type { Document } from '../../src/contract/document/openapi.js'
import type { Entry } from './entry.js'

/** Writes the README of the package: how to install it, and a table of what it exports. */
export function manualOf (
  document: Document,
  { name, version }: { name: string; version: string },
  { schemas, operations, values }: Entry
): string {
  const code = (names: string[]) => names.map((each) => `\`${each}\``).join(', ')
  const rows = [...operations].map(
    ([{ method, path, deprecation }, names]) =>
      `| \`client.${method.toUpperCase()}('${path}')\`${deprecation ? ' (deprecated)' : ''} | ${code(names)} |`
  )
  return `# ${name}

Types, enum values and document of the ${document.info.title} ${document.info.version}. Made from its OpenAPI document, without dependencies.

\`\`\`sh
npm install ./${name}-${version}.tgz openapi-fetch
\`\`\`
\`\`\`ts
import createClient from 'openapi-fetch'
import type { paths } from '${name}'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000${basePathOf(document)}' })
\`\`\`

| export | is |
|---|---|
| \`paths\`, \`operations\`, \`components\`, \`webhooks\` | the document as [openapi-typescript](https://openapi-ts.dev) writes it |
| ${code(schemas)} | the schemas |
| \`ApiError\` | the body of any error, under a name that does not hide JavaScript's \`Error\` |
| ${code(values)} | the values of an enumeration, at run time |

The parts of each operation have names too:

| call | types |
|---|---|
${rows.join('\n')}

The document itself is \`${name}/petstore.json\`. Everything works for ES modules, CommonJS and bundlers.
An \`int64\` is a \`number\` here; JavaScript keeps it exact only from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.
`
}
