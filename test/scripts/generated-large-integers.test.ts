import t from 'tap'
import { filesOf } from '../../scripts/generate/package.js'
import { read } from '../contract/books.js'

t.test('large integers have no literal types, and keep their digits at run time', async (t) => {
  const Code = { type: 'integer', enum: [9007199254740993n, -9007199254740995n, 5] }
  const title = { type: 'string', maxLength: 2n ** 63n - 1n }
  const files = await filesOf({ ...(await read({})), components: { schemas: { Code, Title: title } as never } })
  t.match(files.get('index.mjs'), 'codeValues = [9007199254740993n, -9007199254740995n, 5]')
  t.match(files.get('petstore.d.ts'), /Code: number;/)
  t.match(files.get('server.d.ts'), /Code: number \| bigint;/)
  t.match(files.get('petstore.d.ts'), /Title: string;/)
  t.match(files.get('petstore.json'), '"maxLength": 9223372036854775807')
})

t.test('large integers within values are not rounded in types and comments', async (t) => {
  const n = 9007199254740993n
  const properties = {
    fixed: { const: { n } },
    listed: { type: 'array', enum: [[n]], items: { type: 'integer' } },
    shown: { type: 'integer', examples: [n] },
    lists: { type: 'array', items: {}, default: [n], example: { n } }
  }
  const files = await filesOf(await read({ components: { schemas: { Book: { type: 'object', properties } } } }))
  for (const name of ['petstore.d.ts', 'server.d.ts']) {
    t.notMatch(files.get(name), '9007199254740992', name)
    t.match(files.get(name), '@example 9007199254740993', name)
  }
})
