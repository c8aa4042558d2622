import { createHash } from 'node:crypto'
import { html } from 'ghtml'
import { siteNav, type Site } from './site-nav.js'
import { STYLE } from './style.js'

/** A page of HTML and the policy that lets it load what it has, and nothing else. */
export interface Page {
  html: string
  policy: string
}

const STYLE_HASH = hashOf(STYLE)

export interface Content {
  site: Site
  /** The path of the page; the one at `/` has none. */
  current?: string
  title: string
  /** HTML, everything that it shows inside it already escaped. */
  body: string
  /** Runs at the end of the page. */
  script?: string
}

/** Makes a page for a person. */
export function pageOf ({ site, current, title, body, script }: Content): Page {
  return {
    html: html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="favicon.svg">
<style>!${STYLE}</style>
</head>
<body>
!${siteNav(site, { current })}
!${body}
!${script === undefined ? '' : `<script>${script}</script>`}
</body>
</html>
`,
    policy: [
      "default-src 'none'",
      `style-src '${STYLE_HASH}'`,
      ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ].join('; ')
  }
}

/** What a content security policy calls an inline style or script by (https://www.w3.org/TR/CSP3/#hash-source). */
function hashOf (text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
