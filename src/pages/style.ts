/** The style of our own pages. */
export const STYLE = `
:root {
  --ink: #1c2733; --muted: #5a6b7b; --paper: #fff; --sheet: #f4f7fa; --line: #dbe3ea; --accent: #00696d; --code: #10202c; --code-ink: #e4f0f4; --warn: #9a4b00; --warn-paper: #fff3e2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --muted: #9fb0c0; --paper: #0f171e; --sheet: #16212b; --line: #2b3a47; --accent: #5cd0d4; --code: #0a1117; --code-ink: #dceaf0; --warn: #ffb968; --warn-paper: #33260f;
  }
}
* { box-sizing: border-box }
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
.call { display: flex; align-items: stretch; margin: .75rem 0; border-radius: .5rem; background: var(--code); overflow: hidden }
.call pre { flex: 1; min-width: 0; margin: 0; padding: 1rem; color: var(--code-ink); white-space: pre-wrap; overflow-wrap: anywhere; user-select: all }
.call button { border: 0; border-left: 1px solid #ffffff22; padding: 0 1.1rem; background: none; color: var(--code-ink); font: inherit; font-size: .875rem; cursor: pointer }
.call button:hover { background: #ffffff14 }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem; margin: .75rem 0; padding: 0; list-style: none }
.links a { display: block; height: 100%; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); color: var(--muted); font-size: .9rem; text-decoration: none }
.links a:hover { border-color: var(--accent) }
.links b { display: block; color: var(--accent); font-size: 1rem }
.table { overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th, td { padding: .55rem .75rem .55rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { color: var(--muted); font-size: .85rem; font-weight: 600 }
tr:target { background: var(--warn-paper) }
.method { display: inline-block; min-width: 3.6rem; color: var(--accent); font-weight: 700 }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--warn-paper); color: var(--warn); font-size: .8rem; white-space: nowrap }
@media (max-width: 34rem) {
  main { padding-top: 1.5rem }
  h1 { font-size: 1.7rem }
  thead { display: none }
  tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line) }
  td { display: block; padding: .1rem 0; border: 0 }
  td[data-label]::before { content: attr(data-label) " "; color: var(--muted); font-size: .85rem }
}
`

/** A paw, for the tab of the browser. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#00898d"><ellipse cx="7" cy="15" rx="3" ry="4"/><ellipse cx="13" cy="8" rx="3" ry="4.4"/>' +
  '<ellipse cx="20" cy="8" rx="3" ry="4.4"/><ellipse cx="26" cy="15" rx="3" ry="4"/><path d="M16.500 14c-4 0-8.500 5-8.500 9.200 0 3 2 4.300 4.300 4.300 1.700 0 2.700-.8 4.200-.8s2.500.8 4.200.8c2.300 0 4.300-1.300 4.300-4.300 0-4.200-4.500-9.200-8.500-9.200z"/></svg>'
