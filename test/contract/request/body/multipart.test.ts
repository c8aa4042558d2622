import t from 'tap'
import { BOOK, taking } from '../../books.js'

t.test('multipart/form-data is read by its schema, files as bytes', async (t) => {
  const { call, received } = await taking(t, { 'multipart/form-data': { schema: BOOK } })
  const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const send = (body: string, type = 'multipart/form-data; boundary=b') =>
    call('PUT', '/books', Buffer.from(body, 'latin1'), { 'content-type': type })
  const cover = '\x00\xff\r\n'
  t.equal(
    (
      await send(
        `${part('name="title"', Buffer.from('é').toString('latin1'))}${part('name="pages"', '7')}${part('name="tags"', 'x')}${part('name="tags"', 'y')}${part('name=shelf', '{"row":1}')}${part('name="cover"; filename="c.png"\r\nContent-Type: image/png', cover)}--b--\r\n`
      )
    ).status,
    204
  )
  t.same(received().body, {
    title: 'é',
    pages: 7,
    tags: ['x', 'y'],
    shelf: { row: 1 },
    cover: Buffer.from(cover, 'latin1')
  })
  const form = new FormData()
  form.set('title', 'a"b')
  form.set('cover', new Blob([new Uint8Array([1])]))
  const multipart = new Response(form)
  await call('PUT', '/books', Buffer.from(await multipart.arrayBuffer()), {
    'content-type': multipart.headers.get('content-type')!
  })
  t.same(received().body, { title: 'a"b', cover: Buffer.from([1]) })
  const bad = 'The body is not valid multipart/form-data.'
  for (const [body, message] of [
    [`${part('name="pages"', '7')}--b--`, "Body property 'title' is required."],
    [`${part('name="title"', 'a')}${part('name="pages"', 'x')}--b--`, "Body property 'pages' must be an integer."],
    [
      `${part('name="title"', 'a')}${part('name="cover"', '12345')}--b--`,
      "Body property 'cover' must have at most 4 bytes."
    ],
    [`${part('name="title"', 'a')}${part('name="shelf"', '{')}--b--`, "Body property 'shelf' is not valid JSON."],
    [`${part('name="title"', '\xff')}--b--`, "Body property 'title' is not UTF-8."],
    [`${part('name="title"', 'a')}${part('name="author"', 'a')}--b--`, "Body property 'author' is not known."],
    ['', bad],
    ['x', bad],
    [part('name="title"', 'a'), bad],
    [`${part('', 'a')}--b--`, bad],
    ['--b\r\n\r\na\r\n--b--', bad],
    ['--b\r\nContent-Disposition: form-data; name="title"\r\na\r\n--b--', bad],
    [`x${part('name="title"', 'a')}--b--`, bad]
  ] as const) {
    t.match(await send(body), { status: 400, json: { message } }, JSON.stringify(body))
  }
  t.match(await send('--b--', 'multipart/form-data'), {
    status: 400,
    json: { message: 'The Content-Type has no boundary.' }
  })
})
