import { html } from 'ghtml'

/** What the pages of a server are about, and which of them there are. */
export interface Site {
  title: string
  /** Whether there is a guide. */
  guide: boolean
}

/** Where a page is. */
export interface Place {
  /** A relative reference to `/`. */
  root?: string
  /** The path of the page; the one at `/` has none. */
  current?: string | undefined
  /** The id of its content. */
  content?: string
}

/** Makes what stands at the top of each page: a link that skips to the content, and links to the other pages. */
export function siteNav ({ title, guide }: Site, { root = './', current, content = 'main' }: Place): string {
  const pages = [
    ...(guide ? [['guide', 'Guide']] : []),
    ['docs', 'Operations'],
    ['deprecations', 'Deprecations']
  ] as [path: string, name: string][]
  const links = pages.map(([path, name]) => {
    const mark = path === current ? ' aria-current="page"' : ''
    return html`<a href="${root}${path}"!${mark}>${name}</a>`
  })
  const home = html`<a class="home" href="${root}">${title}</a>`
  return html`<a class="skip" href="#${content}">Skip to the content</a>
<header class="site"><nav aria-label="Site">!${home}!${links}</nav></header>`
}
