import { SNIPPETS_SCRIPT } from './snippets.js'

/**
 * What the browser runs on the docs page before Swagger UI starts. Generic: it knows the extensions of the document,
 * and no operation.
 */
export const DOCS_SCRIPT = `
(() => {
  const SwaggerUI = window.SwaggerUIBundle
  // <root>docs/static/theme/<this file>: whatever prefix a proxy in front has put before it.
  const root = new URL('../../../', document.currentScript.src)

  // Swagger UI is dark by a class, not by the setting of the system.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const setScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', setScheme)
  setScheme()

  const form = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
  const inWords = (date) => new Date(date).toLocaleDateString('en-GB', form)
  // A server that is a path or a relative reference lies under the same root as this page.
  const isElsewhere = (url) => /^([a-z][a-z0-9+.-]*:|\\/\\/|\\{)/i.test(url)
  const underRoot = (server) =>
    isElsewhere(server.url) ? server : { ...server, url: new URL('./' + server.url.replace(/^\\//, ''), root).href }
  // The document cannot know where it is served from; this page does.
  const fromHere = ({ info, servers = [] }) => info.description
    ?.replaceAll('$BASE_URL', servers[0] ? underRoot(servers[0]).url : root.href.slice(0, -1))
    .replaceAll('](./', '](' + root.href)

  // What HTTP itself means by them: they say the same of every operation.
  const SHARED = ['401', '403', '405', '408', '412', '429', '500', '503']

  // A number of JavaScript rounds large integers, so that such a bound stays text, where the browser tells it.
  const BOUNDS = { minimum: '≥ ', maximum: '≤ ', exclusiveMinimum: '> ', exclusiveMaximum: '< ', multipleOf: 'multiple of ' }
  const exactBound = (name, value, context) =>
    Object.hasOwn(BOUNDS, name) && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source || value

  const matches = (wanted, item) => ['path', 'method', 'id'].map((name) => item.get(name))
    .concat(item.getIn(['operation', 'summary'])).some((text) => String(text).toLowerCase().includes(wanted))

  /** Copies the text of an element, over plain HTTP too; tells whether it was. */
  const copied = (element) => {
    getSelection().selectAllChildren(element)
    return document.execCommand('copy')
  }

  const plugin = () => ({
    fn: {
      // Swagger UI's own looks at tags and paths alone.
      opsFilter: (tagged, phrase) => {
        const wanted = phrase.trim().toLowerCase()
        return tagged
          .map((tag) => tag.update('operations', (items) => items.filter((item) => matches(wanted, item))))
          .filter((tag) => tag.get('operations').size > 0)
      }
    },
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update, { specSelectors }) => (spec) => update({
            ...(spec.openapi ? JSON.parse(specSelectors.specStr(), exactBound) : spec),
            info: { ...spec.info, description: fromHere(spec) },
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
      JSONSchema202012KeywordType: (Original, { React }) => (props) => React.createElement(React.Fragment, null,
        React.createElement(Original, props),
        Object.entries(BOUNDS).filter(([name]) => typeof props.schema?.[name] === 'string').map(([name, sign]) =>
          React.createElement('span',
            { key: name, className: 'json-schema-2020-12__constraint json-schema-2020-12__constraint--number' },
            sign + props.schema[name]))),
      // A link within the button that opens an operation could not be reached by its own.
      DeepLink: (_, { React }) => ({ text }) => React.createElement('span', null, text),
      // What may be taken away is the document itself.
      InfoUrl: (Original, { React }) => (props) =>
        React.createElement(Original, { ...props, url: new URL('openapi.json', root).href }),
      InfoContainer: (Original, { React }) => (props) => {
        const place = React.useRef(null)
        React.useEffect(() => {
          for (const pre of place.current.querySelectorAll('.renderedMarkdown > pre')) {
            const block = Object.assign(document.createElement('div'), { className: 'call' })
            const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
            button.addEventListener('click', () => { if (copied(pre)) button.textContent = 'Copied' })
            pre.replaceWith(block)
            block.append(pre, button)
          }
        })
        return React.createElement('section', { ref: place, 'aria-label': 'About' },
          React.createElement(Original, props),
          React.createElement('h2', { className: 'unseen' }, 'Operations'))
      },
      // The name of a licence alone tells nobody what it is the licence of.
      License: () => () => null,
      // Every answer declares many headers; closed, they leave the schemas in sight.
      headers: (Original, { React }) => (props) => React.createElement('details', { className: 'declared-headers' },
        React.createElement('summary', null, props.headers?.size ? 'Headers (' + props.headers.size + ')' : 'Headers'),
        React.createElement(Original, props)),
      HighlightCode: (Original, { React }) => (props) => React.createElement(Original, { ...props, canCopy: true }),
      FilterContainer: (Original, { React, layoutActions, layoutSelectors, specSelectors }) => () => {
        const phrase = layoutSelectors.currentFilter()
        const none = typeof phrase === 'string' && specSelectors.taggedOperations().size === 0
        return React.createElement('div', { className: 'wrapper filter-operations', role: 'search' },
          React.createElement('label', { htmlFor: 'filter' }, 'Filter operations'),
          React.createElement('input', {
            id: 'filter',
            type: 'search',
            placeholder: 'a path, a method or a word',
            autoComplete: 'off',
            value: typeof phrase === 'string' ? phrase : '',
            onChange: (event) => layoutActions.updateFilter(event.target.value || false)
          }),
          React.createElement('p', { role: 'status', className: none ? 'no-match' : '' },
            none ? 'No operation matches.' : ''))
      },
      HttpAuth: (Original, { React, authSelectors }) => (props) => {
        const { name, schema, authorized, onChange, getComponent } = props
        if (schema.get('scheme')?.toLowerCase() !== 'bearer') return React.createElement(Original, props)
        const isGiven = authorized?.has(name)
        const description = schema.get('description')
        return React.createElement('div', { className: 'api-key' },
          React.createElement('label', { htmlFor: 'api-key' }, 'API key'),
          isGiven
            ? React.createElement('p', null, 'Given. Calls of this page send it.')
            : React.createElement('input', {
              id: 'api-key',
              type: 'text',
              autoFocus: true,
              autoComplete: 'off',
              spellCheck: false,
              onChange: (event) => onChange({ name, schema, value: event.target.value })
            }),
          description && React.createElement(getComponent('Markdown', true), { source: description }))
      },
      responses: (Original, { React, specSelectors }) => (props) => {
        const shared = props.responses.filter((_, status) => SHARED.includes(status))
        const own = props.responses.filterNot((_, status) => SHARED.includes(status))
        return React.createElement(React.Fragment, null,
          React.createElement(Snippets,
            { React, spec: specSelectors.specJson(), path: props.path, method: props.method }),
          React.createElement(Original, { ...props, responses: own }),
          shared.size > 0 && React.createElement('details', { className: 'shared-answers' },
            React.createElement('summary', null,
              'Answers that every operation can have: ' + [...shared.keys()].join(', ')),
            React.createElement(Original, {
              ...props,
              responses: shared,
              tryItOutResponse: undefined,
              // Their controls have ids of their own.
              path: props.path + '#shared'
            })))
      }
    }
  })
  ${SNIPPETS_SCRIPT}

  // Swagger UI takes the address for its own links, so the one that skips to the operations moves the focus itself.
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.skip')) return
    event.preventDefault()
    const operations = document.getElementById('operations')
    operations.tabIndex = -1
    operations.focus()
  })

  // What Swagger UI leaves without a name for those who hear the page.
  const NAMES = {
    '.scheme-container': 'Server and key',
    '#servers': 'Server',
    '.examples-select-element': 'Example',
    '.body-param__text': 'Request body',
    '.close-modal': 'Close',
    '.auth-btn-wrapper .authorize': 'Authorize'
  }
  const nameAll = () => {
    for (const [selector, name] of Object.entries(NAMES)) {
      for (const element of document.querySelectorAll(selector)) element.setAttribute('aria-label', name)
    }
    document.querySelector('.scheme-container')?.setAttribute('role', 'region')
    for (const table of document.querySelectorAll('.responses-table')) {
      if (table.id) table.setAttribute('aria-label', table.id.replaceAll('_', ' '))
    }
  }
  new MutationObserver(nameAll).observe(document, { childList: true, subtree: true })

  const url = new URL('docs/json', root).href
  window.SwaggerUIBundle = Object.assign(
    (options) => SwaggerUI({ ...options, url, plugins: [plugin] }),
    SwaggerUI
  )
})()
`
