import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { guide, startService, types } from '../../support/service.js'

/** What browsers send for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

t.test('/ tells a program where everything is', async (t) => {
  const { fetch, root } = await startService(t)
  for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'image/png']) {
    const { status, headers, json } = await fetch('GET', '/', { headers: { accept } })
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'application/json; charset=utf-8', accept)
    t.match(headers.get('vary'), /\baccept\b/i)
    t.match(headers.get('link'), '<openapi.yaml>; rel="service-desc"')
    t.equal(json.title, 'Petstore API')
    const { api, ...links } = json.links as Record<string, string>
    t.equal(api, 'v1')
    for (const link of Object.values(links)) {
      t.equal((await fetch('GET', new URL(link, root).pathname)).status, 200, link)
    }
  }
})

t.test('/ is a page for a browser, which loads nothing and names the address that was asked', async (t) => {
  const { fetch, root } = await startService(t)
  const { status, headers, text } = await fetch('GET', '/', { headers: { accept: BROWSER } })
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(text, `${root}/v1</span>/pets`)
  const policy = headers.get('content-security-policy')!
  t.match(policy, /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'/)
  t.notMatch(policy, /unsafe|https?:|\*/)
  t.notMatch(text, /(src|href)="https?:/)
})

t.test('a cache keeps the pages apart by origin and by form', async (t) => {
  const { fetch } = await startService(t, { corsOrigin: ['https://shop.example', 'https://admin.example'] })
  for (const path of ['/', '/guide', '/deprecations']) {
    t.equal((await fetch('GET', path)).headers.get('vary'), 'Origin, Accept', path)
  }
})

t.test('a Host that is markup is shown as text', async (t) => {
  const { app } = await startService(t)
  const { body } = await app.inject({
    method: 'GET',
    url: '/',
    headers: { host: '"><script>alert(1)</script>', accept: BROWSER }
  })
  t.notMatch(body, '<script>alert')
})

t.test('/deprecations lists the deprecated operations with their dates and replacements', async (t) => {
  const { fetch } = await startService(t)
  t.same((await fetch('GET', '/deprecations')).json, [
    {
      operationId: 'getPet',
      method: 'GET',
      path: 'v1/pets/{petId}',
      deprecated: '2025-12-05',
      sunset: '2030-12-05',
      successor: { operationId: 'listPets', method: 'GET', path: 'v1/pets' }
    }
  ])
  const { headers, text } = await fetch('GET', '/deprecations', { headers: { accept: BROWSER } })
  t.match(headers.get('content-security-policy'), /default-src 'none'; style-src 'sha256-[^']+'; img-src/)
  t.match(text, '<tr id="getPet">')
  t.match(text, '<time datetime="2030-12-05">5 December 2030</time>')
})

t.test('the Link headers of a deprecated operation lead to its row', async (t) => {
  const { call, fetch } = await startService(t)
  const link = (await call('GET', '/pets/1')).headers.get('link')!
  for (const relation of ['deprecation', 'sunset']) {
    const [, path, anchor] = new RegExp(`<([^>#]+)#([^>]+)>; rel="${relation}"`).exec(link)!
    const { pathname } = new URL(path!, 'http://x/v1/pets/1')
    t.match((await fetch('GET', pathname, { headers: { accept: BROWSER } })).text, `id="${anchor}"`, relation)
  }
})

t.test('the types of the document are served', async (t) => {
  const { fetch } = await startService(t)
  const { headers, text } = await fetch('GET', '/openapi.d.ts')
  t.equal(text, types)
  t.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
})

t.test('/guide is a page for a browser and Markdown for a program, at the address that was asked', async (t) => {
  const { fetch, root, port } = await startService(t)
  const markdown = await fetch('GET', '/guide')
  t.same([markdown.status, markdown.headers.get('content-type')], [200, 'text/markdown; charset=utf-8'])
  t.equal(markdown.text, guide.replaceAll('http://127.0.0.1:3000', root))
  const page = await fetch('GET', '/guide', { headers: { accept: BROWSER } })
  t.same([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  t.match(page.text, `${root}/v1</span>/pets`)
  t.notMatch(page.text, 'http://127.0.0.1:3000')
  const policy = page.headers.get('content-security-policy')!
  t.match(policy, /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'/)
  t.notMatch(policy, /unsafe|https?:|\*/)
  const request = `GET /guide HTTP/1.1\r\nHost: "><script>alert(1)</script>\r\nAccept: ${BROWSER}\r\n\r\n`
  t.equal(parseReply(await sendRaw(port, request)).status, 400)
})

t.test('/ says whether the server can serve calls, since when it runs, and what is to be removed', async (t) => {
  for (const [ping, sentence] of [
    [async () => ({ writable: true }), 'Ready to serve calls.'],
    [async () => ({ writable: false }), 'nothing can be stored just now.'],
    [async () => { throw new Error('no database') }, 'Not ready to serve calls just now.']
  ] as const) {
    const { fetch, clock, lifecycle } = await startService(t, { ping })
    const read = async () => (await fetch('GET', '/', { headers: { accept: BROWSER } })).text
    const text = await read()
    t.match(text, sentence)
    t.match(text, `runs since <time datetime="${new Date(clock.now()).toISOString()}">`)
    t.match(text, '<time datetime="2030-12-05">5 December 2030</time>')
    lifecycle.draining = true
    t.match(await read(), 'Not ready to serve calls just now.')
  }
})

t.test('each page leads to the others, and has one heading of the first level, landmarks and a language', async (t) => {
  const { fetch } = await startService(t)
  for (const path of ['/', '/guide', '/deprecations', '/docs', '/docs/']) {
    const { text } = await fetch('GET', path, { headers: { accept: BROWSER } })
    const [, nav] = /<header class="site"><nav aria-label="Site">([^]*?)<\/nav>/.exec(text)!
    const targets = [...nav!.matchAll(/href="([^"]+)"/g)].map(([, href]) => new URL(href!, `http://x${path}`).pathname)
    t.same(targets, ['/', '/guide', '/docs', '/deprecations'], path)
    t.match(text, '<html lang="en">')
    const content = path.startsWith('/docs') ? 'operations' : 'main'
    t.match(text, new RegExp(`<body>\\s*<a class="skip" href="#${content}">`), path)
    if (content === 'main') t.match([text.split('<h1').length, text.split('<main id="main"').length], [2, 2], path)
  }
})

t.test('DOCS=off serves no page, and the Link header names none', async (t) => {
  const { fetch, call } = await startService(t, { docs: false })
  for (const path of ['/', '/guide', '/deprecations', '/openapi.d.ts', '/favicon.svg']) {
    t.equal((await fetch('GET', path)).status, 404, path)
  }
  t.equal((await call('GET', '/pets/1')).headers.get('link'), '<../pets>; rel="successor-version"')
})
