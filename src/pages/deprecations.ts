import { html } from 'ghtml'
import type { Operation } from '../contract/index.js'
import { inWords } from '../domain/dates.js'
import { pageOf, type Page } from './page.js'

interface Named {
  operationId: string
  method: string
  path: string
}

/** A deprecated operation: dates as `2030-12-05`, paths from the root of the server. */
export interface DeprecationRow extends Named {
  deprecated: string
  sunset: string
  successor?: Named
}

/** What `/deprecations` tells a program: a row for each deprecated operation. */
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
 * The page at `/deprecations`: the notice that the Link headers `rel="deprecation"` and `rel="sunset"` point at, an
 * anchor for each operationId.
 */
export function deprecationPage (rows: DeprecationRow[], title: string): Page {
  const operationOf = ({ method, path }: Named) => html`<span class="method">${method}</span> <code>${path}</code>`
  return pageOf({
    title: `Deprecations of the ${title}`,
    body: html`<main>
      <p><a href="./">${title}</a></p>
      <h1>Deprecations</h1>
      <p class="lead">What is to be removed, when, and what replaces it.</p>
      <p>
        Every answer of a deprecated operation carries <code>Deprecation</code> (RFC 9745), <code>Sunset</code> (RFC
        8594) and a <code>Link</code> to this page.
      </p>
      !${
        rows.length === 0
          ? '<p>Nothing is deprecated.</p>'
          : html`<div class="table">
              <table>
                <thead>
                  <tr>
                    <th>Operation</th>
                    <th>Deprecated since</th>
                    <th>To be removed on</th>
                    <th>Replacement</th>
                  </tr>
                </thead>
                <tbody>
                  !${rows.map(
                    (row) =>
                      html`<tr id="${row.operationId}">
                        <td>!${operationOf(row)}</td>
                        <td data-label="Deprecated since">!${timeOf(row.deprecated)}</td>
                        <td data-label="To be removed on">!${timeOf(row.sunset)}</td>
                      </tr>` +
                      html`<td data-label="Replacement">!${row.successor ? operationOf(row.successor) : 'none'}</td></tr>`
                  )}
                </tbody>
              </table>
            </div>`
      }
    </main>`
  })
}

function named ({ operationId, method, path }: Pick<Operation, keyof Named>, basePath: string): Named {
  return { operationId, method: method.toUpperCase(), path: basePath + path }
}

function isoDate (date: Date): string {
  return date.toISOString().slice(0, 10)
}

function timeOf (date: string): string {
  return html`<time datetime="${date}">${inWords(new Date(date))}</time>`
}
