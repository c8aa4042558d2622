import { html } from 'ghtml'

/** What the pages of a server are about, and which of them there are. */
export interface Site {
  title: string
  /** Whether there is a guide. */
  guide: boolean
}

/**
 * Makes the links between the pages, which stand at the top of each: `root` is a relative reference to `/`, and
 * `current` the path of the page.
 */
export function siteNav ({ title, guide }: Site, { root = './', current }: { root?: string; current?: string | undefined }): string {
  const pages = [
    ...(guide ? [['guide', 'Guide']] : []),
    ['docs', 'Operations'],
    ['deprecations', 'Deprecations']
  ] as [path: string, name: string][]
  const links = pages.map(([path, name]) => {
    const mark = path === current ? ' aria-current="page"' : ''
    return html`<a href="${root}${path}"!${mark}>${name}</a>`
  })
  return html`<header class="site"><nav aria-label="Site"><a class="home" href="${root}">${title}</a>!${links}</nav></header>`
}
