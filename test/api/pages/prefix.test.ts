import t from 'tap'
import { parse } from 'yaml'
import { startProxy } from '../../support/proxy.js'
import { sendTo, startService } from '../../support/service.js'

/** The references of a `Link` header by their relations. */
const referencesIn = (link: string | null) =>
  Object.fromEntries([...link!.matchAll(/<([^>]*)>; rel="([^"]+)"/g)].map(([, reference, relation]) => [relation!, reference!]))

for (const prefix of ['/svc', '/a/b']) {
  t.test(`every reference leads to the right place behind a proxy that takes ${prefix} away`, async (t) => {
    const { root: behind, key, call } = await startService(t)
    for (const name of ['Rex', 'Ada']) await call('POST', '/pets', { body: { name, categoryId: 1 } })
    const root = await startProxy(t, behind, prefix)
    const get = (address: string) => sendTo('')('GET', address, { key, headers: { accept: 'application/json' } })
    const linksOf = async (address: string) => {
      const { headers } = await get(address)
      return Object.entries(referencesIn(headers.get('link'))).map(([relation, reference]): [string, string] => [
        relation,
        new URL(reference, address).href
      ])
    }

    const pages = await linksOf(`${root}/v1/pets?limit=1`)
    t.match(pages, [['next', `${root}/v1/pets?limit=1&cursor=`]])
    t.same((await get(pages[0]![1])).json, [{ id: 2, name: 'Ada', categoryId: 1 }])
    t.same(await linksOf(`${root}/v1/pets/1`), [
      ['successor-version', `${root}/v1/pets`],
      ['deprecation', `${root}/deprecations#getPet`],
      ['sunset', `${root}/deprecations#getPet`]
    ])
    for (const [relation, address] of await linksOf(`${root}/`)) t.equal((await get(address)).status, 200, relation)

    const { api, ...links } = (await get(`${root}/`)).json.links as Record<string, string>
    t.equal(new URL(api!, `${root}/`).href, `${root}/v1`)
    for (const [name, reference] of Object.entries(links)) {
      t.equal((await get(new URL(reference, `${root}/`).href)).status, 200, name)
    }
    const [row] = (await get(`${root}/deprecations`)).json
    t.equal(new URL(row.successor.path, `${root}/deprecations`).href, `${root}/v1/pets`)

    for (const path of ['/openapi.json', '/openapi.yaml']) {
      const [server] = parse((await get(root + path)).text).servers
      t.equal(new URL(server.url, root + path).href, `${root}/v1`, path)
    }
    for (const [path, target] of [
      ['/docs/json', '/openapi.json'],
      ['/docs/yaml', '/openapi.yaml'],
      ['/docs/static/index.html', '/docs/']
    ] as const) {
      const { headers } = await get(root + path)
      t.equal(new URL(headers.get('location')!, root + path).href, root + target, path)
    }
  })
}
