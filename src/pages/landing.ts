import { html } from 'ghtml'
import type { Document, Operation } from '../contract/index.js'
import { CURL_OPTIONS, KEY_SENTENCES, type AcceptedKeys } from './accepted-keys.js'
import { codeBlock, CODE_SCRIPT } from './code.js'
import { inWords } from './dates.js'
import { deprecationTable, type DeprecationRow } from './deprecations.js'
import { firstOperation } from './mock-document.js'
import { pageOf, type Page } from './page.js'
import type { Site } from './site-nav.js'

interface Link {
  name: string
  path: string
  title: string
  text: string
}

/** What a person reads first, relative to the landing page. */
const GUIDE: Link = {
  name: 'guide',
  path: 'guide',
  title: 'Guide',
  text: 'How to call this service well, with samples to copy.'
}
const TO_READ: Link[] = [
  { name: 'docs', path: 'docs', title: 'Operations', text: 'Every operation, to read and to try out.' },
  {
    name: 'deprecations',
    path: 'deprecations',
    title: 'Deprecations',
    text: 'What is to be removed, when, and what replaces it.'
  }
]

/** What is for tools. */
const FOR_TOOLS: Link[] = [
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
  { name: 'health', path: 'readyz', title: 'Health', text: 'Whether this server can serve calls.' }
]

/** Gives what `/` tells a program: what this is, and relative references to everything else. */
export function landingLinks ({ info }: Document, site: Site, basePath: string) {
  const links = [...toRead(site), ...FOR_TOOLS]
  return {
    title: info.title,
    version: info.version,
    ...(info.summary === undefined ? {} : { summary: info.summary }),
    links: { api: basePath.slice(1) || './', ...Object.fromEntries(links.map(({ name, path }) => [name, path])) }
  }
}

/** The document, the docs page and the health as a `Link` header, in the relations of RFC 8631. */
export const LANDING_LINK = [
  '<openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '<docs>; rel="service-doc"; type="text/html"',
  '<readyz>; rel="status"'
].join(', ')

/** Whether a server can serve calls, in words, and how that looks. */
export const READINESS = {
  ready: { look: 'good', sentence: 'Ready to serve calls' },
  degraded: { look: 'fair', sentence: 'Ready to serve calls, but limits are not counted exactly just now' },
  'read-only': { look: 'fair', sentence: 'Serves what only reads, but nothing can be stored just now' },
  'not ready': { look: 'bad', sentence: 'Not ready to serve calls just now' }
}

export interface Landing {
  document: Document
  site: Site
  operations: Operation[]
  deprecations: DeprecationRow[]
  basePath: string
  keys: AcceptedKeys
  /** Where the request was sent, as far as the server knows. */
  origin: string
  readiness: keyof typeof READINESS
  /** Since when the server runs. */
  since: Date
}

/** Makes the page at `/`, for a person, who need not be a developer. */
export function landingPage ({ document: { info }, site, basePath, keys, origin, ...landing }: Landing): Page {
  const address = html`<span data-path="${basePath.slice(1)}">${origin}${basePath}</span>`
  const { look, sentence } = READINESS[landing.readiness]
  const since = landing.since.toISOString()
  const firstPath = firstOperation(landing.operations)?.path ?? ''
  return pageOf({
    site,
    title: info.title,
    script: CODE_SCRIPT,
    body: html`<main id="main">
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p class="lead">${info.summary ?? ''}</p>
<p class="status ${look}"><b>${sentence}.</b>
This server runs since <time datetime="${since}">${inWords(landing.since)}, ${since.slice(11, 16)} UTC</time>.</p>

<p>This is a service for programs: an app or a website calls it, and shows people what it answers. You need not be a
developer to look round. ${site.guide ? 'The guide explains it step by step, and under' : 'Under'} Operations you can
try every call in the browser, without installing anything. ${KEY_SENTENCES[keys]}</p>
<ul class="links">
!${toRead(site).map(cardOf)}
</ul>

<h2>First call</h2>
<p>The base address is <code>!${address}</code>. This line in a terminal makes a first call:</p>
!${codeBlock(html`curl ${CURL_OPTIONS[keys]}!${address}${firstPath}`)}

<h2>Operations</h2>
<div class="table"><table>
<thead><tr><th>Method and path</th><th>What it does</th></tr></thead>
<tbody>
!${landing.operations.map(rowOf)}
</tbody>
</table></div>

<h2>To be removed</h2>
!${deprecationTable(landing.deprecations)}

<h2>For tools</h2>
<ul class="links">
!${FOR_TOOLS.map(cardOf)}
</ul>
</main>`
  })
}

function toRead (site: Site): Link[] {
  return site.guide ? [GUIDE, ...TO_READ] : TO_READ
}

function cardOf ({ path, title, text }: Link): string {
  return html`<li><a href="${path}"><b>${title}</b>${text}</a></li>`
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
