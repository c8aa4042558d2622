import { html } from 'ghtml'
import { Marked, type Token, type Tokens } from 'marked'
import { KEY_SENTENCES, type AcceptedKeys } from './accepted-keys.js'
import { codeBlock, CODE_SCRIPT } from './code.js'
import { guideText } from './guide-text.js'
import { highlighted } from './highlight.js'
import { pageOf, type Page } from './page.js'
import type { Site } from './site-nav.js'
import { TABS_SCRIPT } from './tabs.js'

/** The languages of samples by what their blocks of code are marked with; other blocks show what samples print. */
const LANGUAGES: Record<string, string> = { sh: 'curl', js: 'JavaScript', ts: 'TypeScript', py: 'Python' }

export interface Guide {
  site: Site
  /** Its text in Markdown. */
  text: string
  basePath: string
  keys: AcceptedKeys
}

/** Makes the page at `/guide` for those who ask for it at different addresses. */
export function guidePages ({ site, text, basePath, keys }: Guide): (origin: string) => Page {
  const sections: { id: string; title: string }[] = []
  const marked = new Marked({
    renderer: {
      heading ({ depth, tokens, text: title }) {
        const content = this.parser.parseInline(tokens)
        if (depth === 1) return html`<h1>!${content}</h1><p class="note">${KEY_SENTENCES[keys]}</p>`
        const id = idOf(title)
        if (depth === 2) sections.push({ id, title })
        return html`<h${depth} id="${id}"><a href="#${id}">!${content}</a></h${depth}>`
      },
      table (table) {
        const cells = (row: Tokens.TableCell[], name: 'th' | 'td') =>
          html`<tr>!${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`)}</tr>`
        return html`<div class="table written"><table>
<thead>!${cells(table.header, 'th')}</thead>
<tbody>!${table.rows.map((row) => cells(row, 'td'))}</tbody>
</table></div>`
      }
    }
  })
  const body = grouped(marked.lexer(text))
    .map((group) => (Array.isArray(group) ? samples(group) : marked.parser([group])))
    .join('')
  const contents = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return (origin) => {
    const address = html`<span data-path="${basePath.slice(1)}">${origin}${basePath}</span>`
    return pageOf({
      site,
      current: 'guide',
      title: `Guide to the ${site.title}`,
      script: CODE_SCRIPT + TABS_SCRIPT,
      body: html`<div class="with-contents">
<nav class="contents" aria-label="Contents"><p>Contents</p><ul>!${contents}</ul></nav>
<main id="main">!${guideText(body, address)}</main>
</div>`
    })
  }
}

/** Puts the blocks of code that follow one another into a list of their own. */
function grouped (tokens: Token[]): (Token | Tokens.Code[])[] {
  const groups: (Token | Tokens.Code[])[] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = groups.at(-1)
    if (token.type !== 'code') groups.push(token)
    else if (Array.isArray(last)) last.push(token as Tokens.Code)
    else groups.push([token as Tokens.Code])
  }
  return groups
}

function samples (blocks: Tokens.Code[]): string {
  return html`<div class="samples">!${blocks.map(({ lang = '', text }) => {
    const language = LANGUAGES[lang]
    if (language === undefined) {
      return html`<figure class="prints"><figcaption>Prints</figcaption><pre tabindex="0">${text}</pre></figure>`
    }
    return html`<div class="sample" data-language="${language}"><p class="language">${language}</p>
!${codeBlock(highlighted(text))}</div>`
  })}</div>`
}

function idOf (title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
