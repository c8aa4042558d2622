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
