import { html } from 'ghtml'
import type { Document, Operation } from '../contract/index.js'
import { CURL_OPTIONS, KEY_SENTENCES, type AcceptedKeys } from './accepted-keys.js'
import { inWords } from './dates.js'
import { pageOf, type Page } from './page.js'
import { firstOperation } from './mock-document.js'

/** Where things are, relative to the landing page, and what a person may expect there. */
const LINKS = [
  { name: 'docs', path: 'docs', title: 'Docs page', text: 'Every operation, to read and to try out.' },
  {
    name: 'document',
    path: 'openapi.yaml',
    title: 'OpenAPI document',
    text: 'The contract that this server is made from.'
  },
  {
    name: 'documentAsJson',
    path: 'openapi.json',
    title: 'The document as JSON',
    text: 'The same for tools that read no YAML.'
  },
  { name: 'types', path: 'openapi.d.ts', title: 'TypeScript types', text: 'For typed clients such as openapi-fetch.' },
  {
    name: 'deprecations',
    path: 'deprecations',
    title: 'Deprecations',
    text: 'What is to be removed, when, and what replaces it.'
  },
  { name: 'health', path: 'readyz', title: 'Health', text: 'Whether this server can serve calls.' }
] as const

/** Gives what `/` tells a program: what this is, and relative references to everything else. */
export function landingLinks ({ info }: Document, basePath: string) {
  return {
    title: info.title,
    version: info.version,
    ...(info.summary === undefined ? {} : { summary: info.summary }),
    links: { api: basePath.slice(1) || './', ...Object.fromEntries(LINKS.map(({ name, path }) => [name, path])) }
  }
}

/** The document, the docs page and the health as a `Link` header, in the relations of RFC 8631. */
export const LANDING_LINK = [
  '<openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '<docs>; rel="service-doc"; type="text/html"',
  '<readyz>; rel="status"'
].join(', ')

/**
 * Puts the address that the browser knows in the place of the one that the server took for its own, and copies the
 * first call.
 */
const SCRIPT = `
for (const place of document.querySelectorAll('[data-path]')) place.textContent = new URL(place.dataset.path, location)
const button = document.querySelector('.call button')
button.hidden = false
button.addEventListener('click', () => {
  getSelection().selectAllChildren(document.querySelector('.call pre'))
  if (document.execCommand('copy')) button.textContent = 'Copied'
})
`

export interface Landing {
  document: Document
  operations: Operation[]
  basePath: string
  keys: AcceptedKeys
  /** Where the request was sent, as far as the server knows. */
  origin: string
}

/** Makes the page at `/`, for a person. */
export function landingPage ({ document: { info }, operations, basePath, keys, origin }: Landing): Page {
  const address = html`<span data-path="${basePath.slice(1)}">${origin}${basePath}</span>`
  return pageOf({
    title: info.title,
    script: SCRIPT,
    body: html`<main>
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p class="lead">${info.summary ?? ''}</p>

<h2>First call</h2>
<p>The base address is <code>!${address}</code>.
${KEY_SENTENCES[keys]}</p>
<div class="call"><pre>curl ${CURL_OPTIONS[keys]}!${address}${firstOperation(operations)?.path ?? ''}</pre>
<button type="button" hidden>Copy</button></div>

<h2>Where things are</h2>
<ul class="links">
!${LINKS.map(({ path, title, text }) => html`<li><a href="${path}"><b>${title}</b>${text}</a></li>`)}
</ul>

<h2>Operations</h2>
<div class="table"><table>
<thead><tr><th>Method and path</th><th>What it does</th></tr></thead>
<tbody>
!${operations.map(rowOf)}
</tbody>
</table></div>
</main>`
  })
}

function rowOf (operation: Operation): string {
  const { operationId, summary = operationId, tags: [tag = 'default'] } = operation
  const anchor = [tag, operationId].map(encodeURIComponent).join('/')
  return html`<tr><td>!${methodAndPath(operation)}</td>
<td><a href="docs#/${anchor}">${summary}</a> !${badgesOf(operation)}</td></tr>
`
}

function methodAndPath ({ method, path, deprecation }: Operation): string {
  const pathText = deprecation ? html`<del>${path}</del>` : html`${path}`
  return html`<span class="method">${method.toUpperCase()}</span> <code>!${pathText}</code>`
}

function badgesOf ({ deprecation, stability }: Operation): string {
  const badges = [stability, deprecation && `until ${inWords(deprecation.sunset)}`].filter((text) => text !== undefined)
  return html`!${badges.map((text) => html`<span class="badge">${text}</span>`)}`
}
