/**
 * What the browser runs on the docs page before Swagger UI starts. Generic: it knows the extensions of the document,
 * and no operation.
 */
export const DOCS_SCRIPT = `
(() => {
  const SwaggerUI = window.SwaggerUIBundle
  // <root>docs/static/theme/<this file>: whatever prefix a proxy in front has put before it.
  const root = new URL('../../../', document.currentScript.src)

  const form = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
  const inWords = (date) => new Date(date).toLocaleDateString('en-GB', form)
  // A server that is a path or a relative reference lies under the same root as this page.
  const isElsewhere = (url) => /^([a-z][a-z0-9+.-]*:|\\/\\/|\\{)/i.test(url)
  const underRoot = (server) =>
    isElsewhere(server.url) ? server : { ...server, url: new URL('./' + server.url.replace(/^\\//, ''), root).href }

  const plugin = () => ({
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update) => (spec) => update({
            ...spec,
            servers: spec.servers?.map(underRoot)
          })
        }
      }
    },
    wrapComponents: {
      OperationSummaryPath: (Original, { React, specSelectors }) => (props) => {
        const [path, method] = ['path', 'method'].map((name) => props.operationProps.get(name))
        const operation = specSelectors.specJson().getIn(['paths', path, method])
        const badge = (kind, text) => text &&
          React.createElement('span', { className: 'badge badge-' + kind }, text)
        const sunset = operation?.get('x-deprecated-sunset')
        return React.createElement(React.Fragment, null,
          React.createElement(Original, props),
          badge('stability', operation?.get('x-stability')),
          badge('sunset', sunset && 'until ' + inWords(sunset)))
      },
      // Every answer declares many headers; closed, they leave the schemas in sight.
      headers: (Original, { React }) => (props) => React.createElement('details', { className: 'declared-headers' },
        React.createElement('summary', null, props.headers?.size ? 'Headers (' + props.headers.size + ')' : 'Headers'),
        React.createElement(Original, props))
    }
  })

  const url = new URL('openapi.json', root).href
  window.SwaggerUIBundle = Object.assign(
    (options) => SwaggerUI({ ...options, url, plugins: [plugin] }),
    SwaggerUI
  )
})()
`

/** Swagger UI in the type and colours of our pages, readable on a phone, without what has no use. */
export const DOCS_STYLE = `
body { background: #fff }
.swagger-ui, .swagger-ui :not(code, code *, pre, pre *, textarea, .opblock-summary-path, .opblock-summary-path *, .parameter__type, .parameter__in) {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif !important;
}
.swagger-ui .wrapper { max-width: 72rem }
.swagger-ui .info { margin: 2.5rem 0 1.5rem; max-width: 52rem }
.swagger-ui .info h2 { margin: 2rem 0 .5rem; font-size: 1.25rem }
.swagger-ui :is(.info, .opblock-description-wrapper, .response-col_description, .parameters-col_description) p { line-height: 1.6; font-size: .925rem }
.swagger-ui .renderedMarkdown code { background: #eef3f6; color: #00555a; font-weight: 500 }
.swagger-ui .info .renderedMarkdown pre { margin: .5rem 0; padding: .9rem 1rem; border-radius: .4rem; background: #10202c }
.swagger-ui .info .renderedMarkdown pre code { background: none; color: #e4f0f4; padding: 0 }
.swagger-ui .info .renderedMarkdown table { width: auto; margin: .75rem 0 }
.swagger-ui .info .renderedMarkdown table :is(td, th) { padding: .2rem 2.5rem .2rem 0; font-size: .875rem; vertical-align: baseline }
.swagger-ui .scheme-container { margin: 0 0 1rem; padding: 1.25rem 0; box-shadow: none; border-block: 1px solid #dbe3ea; background: #f4f7fa }
.swagger-ui .opblock-tag small { color: #5a6b7b }

/* A choice of one is no choice. */
.swagger-ui select:has(option:only-child) { appearance: none; pointer-events: none; border-color: transparent; background: none; box-shadow: none; padding-inline: 0; min-width: 0; font-weight: 400 }
.swagger-ui .responses-inner .content-type-wrapper:has(option:only-child), .swagger-ui .response-control-media-type:has(option:only-child) { display: none }
.swagger-ui .responses-table:not(:has(.operation-link)) .response-col_links { display: none }

.swagger-ui .badge { align-self: center; flex: none; margin: 0 .6rem 0 0; padding: .1rem .6rem; border-radius: 1rem; font: 600 .75rem/1.5 system-ui, sans-serif }
.swagger-ui .badge-sunset { background: #fff3e2; color: #9a4b00 }
.swagger-ui .badge-stability { background: #e6f4f4; color: #00555a }
.swagger-ui .opblock.opblock-deprecated { opacity: 1 }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-path, .swagger-ui .opblock.opblock-deprecated .opblock-summary-path__deprecated { color: #5a6b7b; text-decoration: line-through }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #6d7d8c }
.swagger-ui .opblock .opblock-summary-path { max-width: none }
.swagger-ui .declared-headers { margin-top: .6rem; font-size: .8rem; color: #5a6b7b }
.swagger-ui .declared-headers > summary { cursor: pointer }
.swagger-ui .declared-headers .headers__title { display: none }
.swagger-ui .declared-headers table { margin-top: .4rem }

.swagger-ui .json-schema-2020-12__constraint { padding: 0 .4rem; font-size: .75rem; line-height: 1.5; background: #e3ecf0; color: #1c2733 }

@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .9rem }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; padding: .4rem }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; gap: .3rem 0 }
  .swagger-ui .opblock-tag small { padding: 0 .5rem }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap }
  .swagger-ui .opblock-body select, .swagger-ui .opblock-body input[type=text], .swagger-ui .opblock-body textarea { max-width: 100%; width: 100%; min-width: 0 }
  .swagger-ui .responses-table > tbody > tr, .swagger-ui .parameters > tbody > tr { display: block; padding: .75rem 0; border-bottom: 1px solid #dbe3ea }
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
