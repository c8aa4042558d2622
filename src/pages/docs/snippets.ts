import { KEY_VARIABLE } from '../accepted-keys.js'

/**
 * A component for Swagger UI that shows how an operation is called: the request that the document's own examples make,
 * as curl, fetch and Python.
 */
export const SNIPPETS_SCRIPT = `
  const quoted = (text) => "'" + text.replaceAll('\\\\', '\\\\\\\\').replaceAll("'", "\\\\'") + "'"
  const inShell = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'"
  const inPython = (value) => {
    if (Array.isArray(value)) return '[' + value.map(inPython).join(', ') + ']'
    const constants = { null: 'None', true: 'True', false: 'False' }
    if (value === null || typeof value === 'boolean') return constants[value]
    if (typeof value !== 'object') return JSON.stringify(value)
    return '{' + Object.entries(value).map(([name, of]) => JSON.stringify(name) + ': ' + inPython(of)).join(', ') + '}'
  }

  const LANGUAGES = {
    curl: ({ method, url, hasKey, body }) => [
      'curl ' + (method === 'GET' || (method === 'POST' && body) ? '' : '-X ' + method + ' ') + inShell(url),
      hasKey && '-H "Authorization: Bearer $${KEY_VARIABLE}"',
      body && '--json ' + inShell(JSON.stringify(body))
    ].filter(Boolean).join(' \\\\\\n  '),

    fetch: ({ method, url, hasKey, body, isEmpty }) => {
      const headers = [
        hasKey && 'Authorization: \`Bearer \${env.${KEY_VARIABLE}}\`',
        body && "'Content-Type': 'application/json'"
      ].filter(Boolean)
      const options = [
        method !== 'GET' && 'method: ' + quoted(method),
        headers.length > 0 && 'headers: {\\n    ' + headers.join(',\\n    ') + '\\n  }',
        body && 'body: JSON.stringify(' + JSON.stringify(body) + ')'
      ].filter(Boolean)
      const start = hasKey ? "import { env } from 'node:process'\\n\\n" : ''
      return start + 'const response = await fetch(' + quoted(url) +
        (options.length > 0 ? ', {\\n  ' + options.join(',\\n  ') + '\\n}' : '') + ')\\n' +
        'console.log(response.status' + (isEmpty ? '' : ', await response.json()') + ')'
    },

    Python: ({ method, url, hasKey, body, isEmpty }) => [
      body && 'import json',
      hasKey && 'import os',
      'from urllib.request import Request, urlopen',
      '',
      'request = Request(' + quoted(url) + ', method=' + quoted(method) + ')',
      hasKey && "request.add_header('Authorization', 'Bearer ' + os.environ['${KEY_VARIABLE}'])",
      body && "request.add_header('Content-Type', 'application/json')",
      body && 'request.data = json.dumps(' + inPython(body) + ').encode()',
      'with urlopen(request) as response:',
      '    print(response.status' + (isEmpty ? '' : ', response.read().decode()') + ')'
    ].filter((line) => typeof line === 'string').join('\\n')
  }

  /** The object that a reference within the document leads to, or what is no reference. */
  const follow = (spec, value) => {
    const reference = value?.$ref
    if (reference === undefined) return value
    const names = reference.slice(2).split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    return names.reduce((within, name) => within?.[name], spec)
  }
  const exampleOf = (spec, { example, examples, schema } = {}) => {
    const [first] = Object.values(examples ?? {})
    return example ?? follow(spec, first)?.value ?? follow(spec, schema)?.examples?.[0]
  }

  /** The request that calls an operation with no more than it needs. */
  const requestOf = (spec, path, method) => {
    const item = spec.paths[path]
    const operation = item[method]
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => follow(spec, one))
    const filled = parameters.filter((one) => one.in === 'path').reduce(
      (text, one) => text.replace('{' + one.name + '}', encodeURIComponent(exampleOf(spec, one) ?? 1)), path)
    const query = parameters.filter((one) => one.in === 'query' && one.required)
      .map((one) => one.name + '=' + encodeURIComponent(exampleOf(spec, one) ?? ''))
    const url = (spec.servers?.[0]?.url ?? '') + filled + (query.length > 0 ? '?' + query.join('&') : '')
    const content = follow(spec, operation.requestBody)?.content?.['application/json']
    return {
      method: method.toUpperCase(),
      url,
      hasKey: (operation.security ?? spec.security ?? []).length > 0,
      body: content && exampleOf(spec, content),
      isEmpty: '204' in operation.responses
    }
  }

  const readLanguage = () => {
    try {
      const kept = localStorage.getItem('snippets')
      return kept in LANGUAGES ? kept : 'curl'
    } catch { return 'curl' }
  }

  const Snippets = ({ React, spec, path, method }) => {
    const [language, setLanguage] = React.useState(readLanguage)
    const [isCopied, setCopied] = React.useState(false)
    const code = React.useRef(null)
    const tabs = React.useRef(null)
    const names = Object.keys(LANGUAGES)
    const text = React.useMemo(
      () => LANGUAGES[language](requestOf(spec.toJS(), path, method)),
      [spec, path, method, language]
    )
    const choose = (name) => {
      setLanguage(name)
      setCopied(false)
      try { localStorage.setItem('snippets', name) } catch {}
    }
    const move = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      const next = (names.indexOf(language) + step + names.length) % names.length
      choose(names[next])
      tabs.current.children[next].focus()
    }
    return React.createElement('section', { className: 'snippets' },
      React.createElement('div', { className: 'opblock-section-header' },
        React.createElement('h4', null, 'Request'),
        React.createElement('div', { role: 'tablist', className: 'languages', 'aria-label': 'Language', ref: tabs, onKeyDown: move },
          names.map((name) => React.createElement('button', {
            key: name,
            type: 'button',
            role: 'tab',
            'aria-selected': name === language,
            tabIndex: name === language ? 0 : -1,
            onClick: () => choose(name)
          }, name)))),
      React.createElement('div', { role: 'tabpanel', 'aria-label': language, className: 'call' },
        React.createElement('pre', { tabIndex: 0, ref: code }, text),
        React.createElement('button', { type: 'button', onClick: () => setCopied(copied(code.current)) },
          isCopied ? 'Copied' : 'Copy')))
  }
`
