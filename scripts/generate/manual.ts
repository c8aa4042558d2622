import type { Document } from '../../src/contract/document/openapi.js'
import { basePathOf } from '../../src/contract/document/servers.js'
import { clientNameOf } from './client.js'
import type { Entry } from './entry.js'

/** Writes the README of the package: how to install it, and a table of what it exports. */
export function manualOf (
  document: Document,
  { name, version }: { name: string; version: string },
  { schemas, operations, values }: Entry
): string {
  const createClient = clientNameOf(document)
  const code = (names: string[]) => names.map((each) => `\`${each}\``).join(', ')
  const rows = [...operations].map(
    ([{ method, path, deprecation }, names]) =>
      `| \`client.${method.toUpperCase()}('${path}')\`${deprecation ? ' (deprecated)' : ''} | ${code(names)} |`
  )
  return `# ${name}

Types, enum values, client and document of the ${document.info.title} ${document.info.version}. Made from its OpenAPI document.
Nothing but the client needs openapi-fetch.

\`\`\`sh
npm install ./${name}-${version}.tgz openapi-fetch
\`\`\`
\`\`\`ts
import { ${createClient} } from '${name}/client'

const client = ${createClient}({ baseUrl: 'http://127.0.0.1:3000${basePathOf(document)}', key: 'your API key' })
\`\`\`

| export | is |
|---|---|
| \`paths\`, \`operations\`, \`components\`, \`webhooks\` | the document as [openapi-typescript](https://openapi-ts.dev) writes it |
| ${code(schemas)} | the schemas |
| \`ApiError\` | the body of any error, under a name that does not hide JavaScript's \`Error\` |
| ${code(values)} | the values of an enumeration, at run time |

| export of \`${name}/client\` | is |
|---|---|
| \`${createClient}({ baseUrl, key, fetch, retry })\` | a client of [openapi-fetch](https://openapi-ts.dev/openapi-fetch/) that sends the key, waits and tries again after 429, 503 and a broken connection, and makes retries of a \`POST\` safe |
| \`pages(client, path, options)\` | all items of a list, over all its pages, for \`for await\` |
| \`nextCursor(response)\` | the \`cursor\` of the next page; undefined on the last |
| \`faultsOf(error)\` | what a 400 says of each field, by its name, such as \`{ name: 'is required' }\`; empty for any other error |
| \`limitsOf(response)\` | \`limit\`, \`remaining\`, \`reset\` (after a 429: when to call again), and each of the \`windows\` |
| \`deprecationOf(response)\` | \`since\`, \`sunset\`, \`successor\` and \`notice\` of a deprecated operation |
| \`ResponseError\` | what \`pages\` throws, with the \`body\` and the \`response\`; hooks that want an exception can throw it too |
| \`ConditionalClient\`, \`Options\`, \`Retry\`, \`Wait\`, \`Lists\`, \`Limits\`, \`LimitWindow\`, \`Deprecation\` | their types |

| option of \`${createClient}\` | is |
|---|---|
| \`baseUrl\` | where the service is, with the path of its version |
| \`key\` | the API key, or a function that each call asks for it. The function may return a promise; what that rejects with, the call does too |
| \`fetch\` | in the place of the global \`fetch\` |
| \`retry\` | \`{ attempts: 4, maxDelay: 60_000, onWait }\`; \`false\` gives every answer at once. An answer that asks for a longer wait than \`maxDelay\`, in milliseconds, is given at once too |
| \`retry.onWait({ delay, until, ended, response })\` | is called for each call that begins to wait: for \`delay\` milliseconds, \`until\` a date. The promise \`ended\` settles when the wait is over or was given up; \`response\` is the one that asks for it, undefined after a broken connection |

Every call has \`data\` or an \`error\` with \`code\`, \`message\` and \`status\`, whatever server responds. The \`code\` is
\`unexpected_response\` for a response that the document does not declare, such as the HTML page of a proxy or an empty
body. A 304 has neither: with \`If-None-Match\` in \`params.header\`, the compiler asks for a check of \`data\`.

While the limit is spent, further calls with the same key are not sent, as refusals lead to a ban: they wait too, or are
given the same 429 again where they may not wait so long. One a minute is sent all the same, to notice a new plan.

Several calls can wait at once, each for a time of its own. A page shows one line for all of them, which does not jump:

\`\`\`ts
import type { Wait } from '${name}/client'

/** Shows until when all calls will have gone on, and nothing while none waits. Give what it makes to \`retry.onWait\`. */
export function oneLine (show: (text: string) => void): (wait: Wait) => void {
  const waits = new Set<Wait>()
  const tell = () => {
    const until = new Date(Math.max(...Array.from(waits, (wait) => wait.until.getTime())))
    show(waits.size === 0 ? '' : \`Trying again at \${until.toLocaleTimeString()}.\`)
  }
  return (wait) => {
    waits.add(wait)
    tell()
    wait.ended.then(() => {
      waits.delete(wait)
      tell()
    })
  }
}
\`\`\`

The parts of each operation have names too:

| call | types |
|---|---|
${rows.join('\n')}

The document itself is \`${name}/petstore.json\`. Everything works for ES modules, CommonJS and bundlers.
An \`int64\` is a \`number\` here; JavaScript keeps it exact only from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.
`
}
