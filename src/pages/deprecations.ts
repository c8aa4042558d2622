import { html } from 'ghtml'
import type { Operation } from '../contract/index.js'
import { inWords } from './dates.js'
import { pageOf, type Page } from './page.js'
import type { Site } from './site-nav.js'

interface Named {
  operationId: string
  method: string
  path: string
}

/** A deprecated operation: dates as `2030-12-05`, paths relative to `/deprecations`. */
export interface DeprecationRow extends Named {
  deprecated: string
  sunset: string
  successor?: Named
}

/** Gives what `/deprecations` tells a program: a row for each deprecated operation. */
export function deprecationList (operations: Operation[], basePath: string): DeprecationRow[] {
  return operations.flatMap(({ deprecation, ...operation }) => {
    if (!deprecation) return []
    const successor = operations.find(({ operationId }) => operationId === deprecation.successor)
    return [
      {
        ...named(operation, basePath),
        deprecated: isoDate(deprecation.since),
        sunset: isoDate(deprecation.sunset),
        ...(successor === undefined ? {} : { successor: named(successor, basePath) })
      }
    ]
  })
}

/**
 * Makes the page at `/deprecations`, for a person: the notice that the Link headers `rel="deprecation"` and
 * `rel="sunset"` point at, an anchor for each operationId.
 */
export function deprecationPage (rows: DeprecationRow[], site: Site): Page {
  return pageOf({
    site,
    current: 'deprecations',
    title: `Deprecations of the ${site.title}`,
    body: html`<main id="main">
<h1>Deprecations</h1>
<p class="lead">What is to be removed, when, and what replaces it.</p>
<p>Every answer of a deprecated operation carries <code>Deprecation</code> (RFC 9745),
<code>Sunset</code> (RFC 8594) and a <code>Link</code> to this page.</p>
!${deprecationTable(rows)}
</main>`
  })
}

/** Makes a table of the deprecated operations, or a sentence where there are none. */
export function deprecationTable (rows: DeprecationRow[]): string {
  if (rows.length === 0) return '<p>Nothing is deprecated.</p>'
  return html`<div class="table"><table>
<thead><tr><th>Operation</th><th>Deprecated since</th><th>To be removed on</th><th>Replacement</th></tr></thead>
<tbody>
!${rows.map(rowOf)}
</tbody>
</table></div>`
}

function rowOf (row: DeprecationRow): string {
  return html`<tr id="${row.operationId}"><td>!${methodAndPath(row)}</td>
<td data-label="Deprecated since">!${timeOf(row.deprecated)}</td>
<td data-label="To be removed on">!${timeOf(row.sunset)}</td>
<td data-label="Replacement">!${row.successor ? methodAndPath(row.successor) : 'none'}</td></tr>
`
}

function methodAndPath ({ method, path }: Named): string {
  return html`<span class="method">${method}</span> <code>/${path}</code>`
}

function named ({ operationId, method, path }: Pick<Operation, keyof Named>, basePath: string): Named {
  return { operationId, method: method.toUpperCase(), path: (basePath + path).slice(1) }
}

function isoDate (date: Date): string {
  return date.toISOString().slice(0, 10)
}

function timeOf (date: string): string {
  return html`<time datetime="${date}">${inWords(new Date(date))}</time>`
}
