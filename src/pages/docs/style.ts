import { SITE_STYLE } from '../style.js'

/** Swagger UI in the type and colours of our pages, readable on a phone, without what has no use. */
export const DOCS_STYLE = `${SITE_STYLE}
html, body { margin: 0; background: var(--paper) }
.swagger-ui, html.dark-mode, html.dark-mode .swagger-ui { background: var(--paper); color: var(--ink) }
.swagger-ui, .swagger-ui :not(code, code *, pre, pre *, textarea, .opblock-summary-path, .opblock-summary-path *, .parameter__type, .parameter__in) {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif !important;
}
.swagger-ui .wrapper { max-width: 72rem }
.swagger-ui .info { margin: 1.75rem 0 1rem; max-width: none }
.swagger-ui .info hgroup.main { margin: 0 0 .5rem }
.swagger-ui .info .title { font-size: 1.9rem; color: var(--ink) }
.swagger-ui .info h2 { display: none }
.swagger-ui .info .info__summary { display: none }
.swagger-ui .info .description { margin: 0 }
.swagger-ui .info .renderedMarkdown { display: grid; grid-template-columns: fit-content(50%) minmax(0, 1fr); gap: 0 1.5rem; align-items: center }
.swagger-ui .info .renderedMarkdown > * { grid-column: 1 / -1 }
.swagger-ui .info .renderedMarkdown > p:has(+ .call) { grid-column: 1 }
.swagger-ui .info .renderedMarkdown > .call { grid-column: 2; margin: .35rem 0 }
.swagger-ui .info .renderedMarkdown p { margin: .25rem 0; color: var(--ink) }
.swagger-ui a, .swagger-ui .info a.link { color: var(--accent) }
.swagger-ui .info .title small { background: #5a6b7b }
.swagger-ui .info .title small.version-stamp { background: #4f7302 }
.swagger-ui .servers-title { display: none }
.swagger-ui .scheme-container .schemes { align-items: center }
.swagger-ui .scheme-container .schemes .auth-wrapper { padding: 0; margin: 0 }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: #0f7a45; color: #0f7a45 }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #0f7a45 }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #0b66c3 }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method { background: #0f7a45 }
html:not(.dark-mode) .swagger-ui .opblock-put .opblock-summary-method { background: #a85b00 }
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method { background: #0d7377 }
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method { background: #c8281e }
html:not(.dark-mode) .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #5a6b7b }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--muted) }
.swagger-ui .highlight-code:not(:has(.download-contents)) > .copy-to-clipboard { right: 10px }

/* What has the focus shows it, and text and fields have the contrast of WCAG 2.2 AA. */
.swagger-ui :focus-visible { outline: 2px solid var(--accent) !important; outline-offset: 2px; transition: none !important }
.swagger-ui .call :focus-visible { outline-color: var(--code-ink) !important; outline-offset: -3px }
.swagger-ui .opblock .opblock-summary .view-line-link:focus-within { width: 24px; margin: 0 5px; transition: none }
.swagger-ui .unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
.swagger-ui :is(input, textarea, select:not(:has(option:only-child))):not(.invalid) { border: 1px solid var(--field) !important }
html .swagger-ui :is(.info, .scheme-container, .opblock-body, .renderedMarkdown, .external-docs) a { color: var(--accent) }
.swagger-ui :is(.parameter__in, .parameter__type, .prop-format) { color: var(--muted) }
.swagger-ui .btn.execute { background: #0b66c3; border-color: #0b66c3; color: #fff }
html .swagger-ui .btn.cancel, html.dark-mode .swagger-ui .btn.cancel { color: var(--wrong) !important; border-color: var(--wrong) }
.swagger-ui .download-contents { background: #4f5a66; color: #fff }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ffa3a3 !important }
.swagger-ui .microlight code { white-space: pre-wrap !important; overflow-wrap: anywhere }
html.dark-mode .swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #93a1ae }
.swagger-ui .opblock-tag { padding-inline: 0 }

.swagger-ui :is(.info, .opblock-description-wrapper, .response-col_description, .parameters-col_description) p { line-height: 1.6; font-size: .925rem }
html .swagger-ui .renderedMarkdown code, html.dark-mode .swagger-ui .renderedMarkdown code { background: var(--chosen); color: var(--accent); font-weight: 500 }
.swagger-ui .info .renderedMarkdown pre { margin: 0; padding: .7rem 1rem; border-radius: .4rem; background: var(--code) }
html .swagger-ui .info .renderedMarkdown pre code, html.dark-mode .swagger-ui .info .renderedMarkdown pre code { background: none; color: var(--code-ink); padding: 0 }
.swagger-ui .info .renderedMarkdown table { width: auto; margin: .75rem 0 }
.swagger-ui .info .renderedMarkdown table :is(td, th) { padding: .2rem 2.5rem .2rem 0; font-size: .875rem; vertical-align: baseline }
.swagger-ui .scheme-container { margin: 0; padding: .8rem 0; box-shadow: none; border-block: 1px solid var(--line); background: var(--sheet) }
.swagger-ui .opblock-tag small { color: var(--muted) }

/* A choice of one is no choice. */
.swagger-ui select:has(option:only-child) { appearance: none; pointer-events: none; border-color: transparent; background: none; box-shadow: none; padding-inline: 0; min-width: 0; font-weight: 400 }
.swagger-ui .responses-inner .content-type-wrapper:has(option:only-child), .swagger-ui .response-control-media-type:has(option:only-child) { display: none }
.swagger-ui .responses-table:not(:has(.operation-link)) .response-col_links { display: none }

.swagger-ui .badge { align-self: center; flex: none; margin: 0 .6rem 0 0; padding: .1rem .6rem; border-radius: 1rem; font: 600 .75rem/1.5 system-ui, sans-serif }
.swagger-ui .badge-sunset { background: var(--warn-paper); color: var(--warn) }
.swagger-ui .badge-stability { background: var(--chosen); color: var(--accent) }
.swagger-ui .opblock.opblock-deprecated { opacity: 1 }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-path, .swagger-ui .opblock.opblock-deprecated .opblock-summary-path__deprecated { color: var(--muted); text-decoration: line-through }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #6d7d8c }
.swagger-ui .opblock .opblock-summary-path { max-width: none }
.swagger-ui .declared-headers { margin-top: .6rem; font-size: .8rem; color: var(--muted) }
.swagger-ui .declared-headers > summary { cursor: pointer }
.swagger-ui .declared-headers .headers__title { display: none }
.swagger-ui .declared-headers table { margin-top: .4rem }

.swagger-ui .json-schema-2020-12__constraint { padding: 0 .4rem; font-size: .75rem; line-height: 1.5; background: var(--chosen); color: var(--ink) }

.swagger-ui .filter-operations { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; padding-block: 1rem .25rem; color: var(--ink); font-size: .925rem }
html .swagger-ui .filter-operations label, html.dark-mode .swagger-ui .filter-operations label { margin: 0; color: var(--ink); font-size: .925rem; font-weight: 600 }
.swagger-ui .filter-operations input { flex: 0 1 24rem; min-width: 0; margin: 0; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .4rem; background: var(--paper); color: var(--ink); font-size: .925rem }
.swagger-ui .filter-operations p { margin: 0 }
.swagger-ui:has(.no-match) .block > div > h3 { display: none }

.swagger-ui .snippets .opblock-section-header { min-height: 0; padding: .5rem 1.25rem; gap: 1rem }
.swagger-ui .snippets .opblock-section-header h4 { flex: none }
.swagger-ui .snippets .languages { margin: 0 }
.swagger-ui .snippets .call { margin: 1rem 1.25rem }
.swagger-ui .snippets .call pre { font: .8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace }
.swagger-ui .shared-answers { margin: 0 1.25rem 1.25rem }
.swagger-ui .shared-answers > summary { padding: .6rem 0; color: var(--muted); font-size: .875rem; cursor: pointer }
.swagger-ui .shared-answers .opblock-section-header { display: none }
.swagger-ui .shared-answers .responses-inner { padding: 0 }
html .swagger-ui .api-key label, html.dark-mode .swagger-ui .api-key label { display: block; margin: .5rem 0; color: var(--ink); font-size: 1rem; font-weight: 600 }
html.dark-mode .swagger-ui :is(label, .examples__section-header, .examples-select__section-label) { color: var(--ink) }
html.dark-mode .swagger-ui .scheme-container { background: var(--sheet); box-shadow: none }
.swagger-ui .api-key input { width: 100%; max-width: none; margin: 0 0 .75rem; border-color: var(--field) }

@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .9rem }
  .swagger-ui .info { margin: 1rem 0 .75rem }
  .swagger-ui .info .renderedMarkdown { display: block }
  .swagger-ui .scheme-container { padding: .5rem 0 }
  .swagger-ui .filter-operations { padding-block: .75rem 0 }
  .swagger-ui .filter-operations input { flex: 1 1 100%; max-width: none }
  .swagger-ui .opblock-summary .badge { align-self: flex-start; margin: .15rem 0 }
  .swagger-ui :is(.snippets .call, .shared-answers) { margin-inline: .75rem }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; padding: .4rem }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; gap: .3rem 0 }
  .swagger-ui .opblock-tag small { padding: 0 .5rem }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap }
  .swagger-ui .opblock-body select, .swagger-ui .opblock-body input[type=text], .swagger-ui .opblock-body textarea { max-width: 100%; width: 100%; min-width: 0 }
  .swagger-ui .responses-table > tbody > tr, .swagger-ui .parameters > tbody > tr { display: block; padding: .75rem 0; border-bottom: 1px solid var(--line) }
  .swagger-ui :is(.responses-table, .parameters) > tbody > tr > td { display: block; width: auto; max-width: 100%; padding: .1rem 0; min-width: 0 }
  .swagger-ui :is(.responses-table, .parameters) > thead { display: none }
  .swagger-ui :is(.responses-table, .parameters, .live-responses-table) { display: block }
  .swagger-ui :is(.responses-table, .parameters, .live-responses-table) > tbody { display: block }
  .swagger-ui .response-col_status { font-weight: 700 }
  .swagger-ui .declared-headers table, .swagger-ui .info .renderedMarkdown table { display: block; overflow-x: auto }
  .swagger-ui .info .renderedMarkdown table :is(td, th) { padding-right: 1.2rem }
  .swagger-ui .dialog-ux .modal-ux { width: calc(100vw - 1.5rem); min-width: 0; max-width: none }
}
`
