import { createHash } from 'node:crypto'
import t from 'tap'
import { pageOf } from '../../src/pages/page.js'

t.test('the policy of a page names its inline style and script by their hashes, and nothing else runs', async (t) => {
  const { html, policy } = pageOf({ site: { title: 'Books', guide: false }, title: 'Books', body: '<p>Text</p>', script: 'document.title = "Read"' })
  for (const [element, directive] of [
    ['style', 'style-src'],
    ['script', 'script-src']
  ] as const) {
    const [, text] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)!
    t.match(policy, `${directive} 'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
  }
})
