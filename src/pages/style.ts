/** What the docs page has as well: the colours, the links at the top, code to copy, and tabs. */
export const SITE_STYLE = `
:root {
  --ink: #1c2733; --muted: #5a6b7b; --paper: #fff; --sheet: #f4f7fa; --line: #dbe3ea; --accent: #00696d; --code: #10202c; --code-ink: #e4f0f4; --warn: #9a4b00; --warn-paper: #fff3e2; --code-line: transparent; --field: #7b8b9a; --chosen: #e2f1f1; --good: #1f9d55; --fair: #d98200; --bad: #d0352b; --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --muted: #9fb0c0; --paper: #0f171e; --sheet: #16212b; --line: #2b3a47; --accent: #5cd0d4; --code: #0a1117; --code-ink: #dceaf0; --warn: #ffb968; --warn-paper: #33260f; --code-line: #2b3a47; --field: #6f8292; --chosen: #173638; --good: #46c37b; --fair: #f0a53a; --bad: #f2695f; --wrong: #ff9c94;
  }
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; top: -4rem; left: 1.25rem; z-index: 1; padding: .5rem 1rem; border-radius: 0 0 .5rem .5rem; background: var(--paper); color: var(--accent); font: 600 1rem/1.5 system-ui, sans-serif }
.skip:focus { top: 0 }
.site { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; line-height: 1.6; border-bottom: 1px solid var(--line); background: var(--sheet) }
.site nav { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; max-width: 72rem; margin: 0 auto; padding: .8rem 1.25rem; font-size: .925rem }
.site a { color: var(--muted); text-decoration: none }
.site a:hover, .site a[aria-current] { color: var(--ink); text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .45em }
.site .home { margin-right: auto; color: var(--ink); font-weight: 700; text-decoration: none }
.call { position: relative; margin: .75rem 0; border: 1px solid var(--code-line); border-radius: .5rem; background: var(--code); overflow: hidden }
.call pre { margin: 0; padding: 1rem; color: var(--code-ink); white-space: pre-wrap; overflow-wrap: anywhere }
.call pre::before { content: ""; float: right; width: 3.5rem; height: 1em }
.call :focus-visible { outline-color: var(--code-ink); outline-offset: -3px }
.call button { position: absolute; top: 0; right: 0; border: 0; padding: .7rem 1.1rem; background: none; color: var(--code-ink); font: inherit; font-size: .875rem; cursor: pointer }
.call button:hover { background: #ffffff14 }
.languages { display: flex; flex-wrap: wrap; gap: .25rem; margin-bottom: .4rem }
.languages button { border: 0; border-radius: .4rem; padding: .3rem .75rem; background: none; color: var(--muted); font: inherit; font-size: .875rem; cursor: pointer }
.languages button:hover { color: var(--ink) }
.languages [aria-selected=true] { background: var(--chosen); color: var(--accent); font-weight: 600 }
@media (max-width: 34rem) {
  .site .home { flex-basis: 100% }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important }
}
`

/** The style of our own pages. */
export const STYLE = `${SITE_STYLE}* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
main { max-width: 56rem; margin: 0 auto; padding: 3rem 1.25rem 4rem }
h1 { margin: 0; font-size: 2.2rem; line-height: 1.2; letter-spacing: -.02em }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.15rem }
p { margin: .5rem 0 }
a { color: var(--accent); text-underline-offset: .15em }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em }
del { color: var(--muted) }
.lead { font-size: 1.15rem; color: var(--muted) }
.version { display: inline-block; margin-left: .5rem; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--muted); font-size: .85rem; font-weight: 500; letter-spacing: 0; vertical-align: middle }
.comment { color: #93aabb }
.string { color: #8fdcb4 }
.keyword { color: #7cc7f5 }
.status { display: inline-block; padding: .45rem .9rem; border-radius: .5rem; background: var(--sheet); border: 1px solid var(--line) }
.status b::before { content: ""; display: inline-block; width: .65rem; height: .65rem; margin-right: .5rem; border-radius: 50%; background: var(--good) }
.status.fair b::before { background: var(--fair) }
.status.bad b::before { background: var(--bad) }
.note { color: var(--muted) }
.with-contents { display: grid; grid-template-columns: 12rem minmax(0, 46rem); justify-content: center; gap: 3.5rem; padding: 0 1.25rem }
.with-contents main { width: 100%; margin: 0; padding-inline: 0 }
.with-contents h2 { margin-top: 3.25rem; font-size: 1.45rem; letter-spacing: -.01em; scroll-margin-top: 1.5rem }
main :is(h2, h3) > a { color: inherit; text-decoration: none }
main :is(h2, h3) > a:hover::after { content: " #"; color: var(--accent) }
.contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 3.4rem 0 2rem; font-size: .925rem }
.contents p { margin: 0 0 .5rem; color: var(--muted); font-size: .85rem; font-weight: 600 }
.contents ul { margin: 0; padding: 0; list-style: none }
.contents li a { display: block; padding: .2rem 0; color: var(--ink); text-decoration: none }
.contents li a:hover { color: var(--accent) }
.samples { margin: 1.25rem 0 }
.samples figure { margin: 0 }
.samples :is(figcaption, .language) { margin-top: .75rem; color: var(--muted); font-size: .85rem; font-weight: 600 }
.sample .call { margin-top: .25rem }
.prints pre { margin: .25rem 0; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); white-space: pre-wrap; overflow-wrap: anywhere }
.written table { width: auto }
.written :is(th, td) { padding: .3rem 2.5rem .3rem 0 }
main p code, main li code { overflow-wrap: anywhere }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none }
.links a { display: block; height: 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); color: var(--muted); font-size: .9rem; text-decoration: none }
.links a:hover { border-color: var(--accent) }
.links b { display: block; color: var(--accent); font-size: 1rem }
.table { margin: 1.25rem 0; overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th, td { padding: .55rem .75rem .55rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { color: var(--muted); font-size: .85rem; font-weight: 600 }
tr:target { background: var(--warn-paper) }
.method { color: var(--accent); font-weight: 700 }
td:first-child .method { display: inline-block; min-width: 5rem }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--warn-paper); color: var(--warn); font-size: .8rem; white-space: nowrap }
@media (max-width: 56rem) {
  .with-contents { display: block }
  .contents { position: static; max-height: none; padding: 1.5rem 0 0 }
  .contents ul { columns: 2; column-gap: 1.5rem }
  .with-contents main { padding-top: 1.5rem }
}
@media (max-width: 34rem) {
  main { padding-top: 1.5rem }
  h1 { font-size: 1.7rem }
  .table:not(.written) thead { display: none }
  .table:not(.written) tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line) }
  .table:not(.written) td { display: block; padding: .1rem 0; border: 0 }
  .written :is(th, td) { padding-right: 1.2rem }
  td[data-label]::before { content: attr(data-label) " "; color: var(--muted); font-size: .85rem }
}
`

/** A paw, for the tab of the browser. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#00898d"><ellipse cx="7" cy="15" rx="3" ry="4"/><ellipse cx="13" cy="8" rx="3" ry="4.4"/>' +
  '<ellipse cx="20" cy="8" rx="3" ry="4.4"/><ellipse cx="26" cy="15" rx="3" ry="4"/><path d="M16.500 14c-4 0-8.500 5-8.500 9.200 0 3 2 4.300 4.300 4.300 1.700 0 2.700-.8 4.200-.8s2.500.8 4.200.8c2.300 0 4.300-1.300 4.300-4.300 0-4.200-4.500-9.200-8.500-9.200z"/></svg>'
