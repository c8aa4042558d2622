import t from 'tap'
import { readTree } from '../../../src/contract/document/text.js'
import { document, source, startService } from '../../support/service.js'

t.test('/openapi.yaml is the document byte for byte, /openapi.json the same as JSON', async (t) => {
  const { fetch } = await startService(t)
  const yaml = await fetch('GET', '/openapi.yaml')
  t.equal(yaml.text, source)
  t.equal(yaml.headers.get('content-type'), 'application/yaml; charset=utf-8')
  const json = await fetch('GET', '/openapi.json')
  t.same(readTree(json.text), document)
  t.equal(json.headers.get('content-type'), 'application/json; charset=utf-8')
})

t.test('the range of int64 is written digit for digit, in YAML and JSON', async (t) => {
  const { fetch } = await startService(t)
  for (const path of ['/openapi.yaml', '/openapi.json']) {
    const { text } = await fetch('GET', path)
    const bounds = [...text.matchAll(/"?(?:minimum|maximum)"?:\s*(-?\d{10,})/g)].map(([, digits]) => digits)
    t.ok(bounds.length >= 20, path)
    t.same([...new Set(bounds)].sort(), ['-9223372036854775808', '2147483647', '9223372036854775807'], path)
  }
})

t.test('/docs is Swagger UI on this very document, from this server alone', async (t) => {
  const { fetch, root } = await startService(t)
  const page = await fetch('GET', '/docs')
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), /^text\/html/)
  t.match(page.text, /<title>Petstore API<\/title>/)
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => new URL(url!, `${root}/docs`))
  t.ok(assets.length > 2)
  for (const { origin, pathname } of assets) {
    t.equal(origin, root)
    t.equal((await fetch('GET', pathname)).status, 200, pathname)
  }
  for (const path of ['/docs/json', '/docs/yaml']) {
    const { status, headers } = await fetch('GET', path)
    const { pathname } = new URL(headers.get('location')!, root + path)
    t.same([status, pathname], [302, path.replace('/docs/', '/openapi.')], 'the document that is served anyway')
  }
})

t.test('the page may load nothing from elsewhere, and works over plain HTTP', async (t) => {
  const { fetch } = await startService(t)
  const policy = (await fetch('GET', '/docs')).headers.get('content-security-policy')!
  t.match(policy, /default-src 'none'/)
  t.match(policy, /script-src 'self'(;|$)/)
  t.notMatch(policy, /https?:|upgrade-insecure-requests|\*/)
})

t.test('files beside the page are not served', async (t) => {
  const { fetch } = await startService(t)
  for (const path of [
    '/docs/static/package.json',
    '/docs/static/../package.json',
    '/docs/static/%2e%2e/package.json',
    '/docs/static/..%2fpackage.json',
    '/docs/../package.json',
    '/docs/static/%5c..%5cpackage.json',
    '/docs/nope'
  ]) {
    const { status, json } = await fetch('GET', path)
    t.ok(status >= 400 && status < 500, `${path}: ${status}`)
    t.equal(json?.status, status, path)
  }
})

t.test('DOCS=off serves neither the page nor the document', async (t) => {
  const { fetch } = await startService(t, { docs: false })
  for (const path of ['/docs', '/docs/json', '/openapi.yaml', '/openapi.json']) {
    t.equal((await fetch('GET', path)).status, 404, path)
  }
})

t.test('ranges and conditions do not make a static file fail', async (t) => {
  const { fetch } = await startService(t)
  const conditions = [
    { range: 'bytes=99999999-' },
    { range: 'bytes=abc' },
    { range: 'bytes=0-9' },
    { 'if-match': '"x"' },
    { 'if-unmodified-since': 'Tue, 05 Dec 2000 00:00:00 GMT' },
    { range: 'bytes=0-9', 'if-range': '"x"' }
  ]
  for (const headers of conditions) {
    for (const method of ['GET', 'HEAD']) {
      t.equal(
        (await fetch(method, '/docs/static/swagger-ui.css', { headers })).status,
        200,
        `${method} ${JSON.stringify(headers)}`
      )
    }
  }
})

t.test('a path outside the document that has another method is a 405 with Allow', async (t) => {
  const { fetch } = await startService(t)
  for (const path of ['/healthz', '/readyz', '/docs', '/docs/', '/guide', '/openapi.json', '/openapi.yaml?x=1']) {
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const { status, json, headers } = await fetch(method, path)
      t.same([status, json.code, headers.get('allow')], [405, 'method_not_allowed', 'GET, HEAD, OPTIONS'], `${method} ${path}`)
    }
  }
})

t.test('OPTIONS says which methods a path outside the document has', async (t) => {
  const { fetch } = await startService(t)
  for (const path of ['/', '/healthz', '/readyz', '/docs', '/docs/', '/guide', '/deprecations', '/openapi.yaml?x=1']) {
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'json' }]) {
      const { status, text, headers: answered } = await fetch('OPTIONS', path, { headers })
      t.same([status, text, answered.get('allow')], [204, '', 'GET, HEAD, OPTIONS'], path)
    }
  }
  for (const path of ['/nothing', '/v1/nothing']) {
    t.equal((await fetch('OPTIONS', path, { headers: { 'content-type': 'application/json' } })).status, 404, path)
  }
})
