import t from 'tap'
import { taking } from '../../books.js'

t.test('XML is read by its schema (OpenAPI 3.1.1, section 4.8.26)', async (t) => {
  const schema = {
    type: 'object',
    xml: { name: 'book' },
    required: ['title'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', xml: { attribute: true } },
      title: { type: 'string' },
      pages: { type: 'integer', xml: { name: 'pageCount', prefix: 'b', namespace: 'urn:b' } },
      tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } }, xml: { name: 'tagList', wrapped: true } },
      ids: { type: 'array', items: { type: 'integer' } },
      shelf: { type: 'object', properties: { row: { type: 'integer' } }, additionalProperties: false }
    }
  }
  const { call, received } = await taking(t, { 'application/xml': { schema }, 'application/json': { schema } })
  const xml = { 'content-type': 'application/xml' }
  t.equal(
    (
      await call(
        'PUT',
        '/books',
        '<?xml version="1.0"?><book id="7" xmlns:b="urn:b"> <title>a &amp; <![CDATA[<b>]]></title><b:pageCount>9</b:pageCount><tagList><tag>x</tag><tag>y</tag></tagList><ids>1</ids><ids>2</ids><shelf><row>1</row></shelf></book>',
        xml
      )
    ).status,
    204
  )
  t.same(received().body, { id: 7, title: 'a & <b>', pages: 9, tags: ['x', 'y'], ids: [1, 2], shelf: { row: 1 } })
  for (const [sent, message] of [
    ['<book/>', "Body property 'title' is required."],
    ['<book id="x"><title/></book>', "Body property 'id' must be an integer."],
    ['<book><title/><title/></book>', "Body property 'title' must be a string."],
    ['<book><title/><author/></book>', "Body property 'author' is not known."],
    ['<book lang="de"><title/></book>', "Body property 'lang' is not known."],
    ['<pet/>', 'The body must be an element book.'],
    ['<book>text<title/></book>', 'The body has text in the element book, where elements are expected.'],
    ['<book>', 'The body is not valid XML.'],
    ['', 'The body is not valid XML.'],
    ['<book>&nope;</book>', 'The body is not valid XML.'],
    ['<!DOCTYPE book [<!ENTITY a "b">]><book/>', 'The body has a document type, which is not understood.'],
    [`${'<a>'.repeat(101)}`, 'The body has more than 100 levels.']
  ] as const) {
    t.match(await call('PUT', '/books', sent, xml), { status: 400, json: { message } }, sent)
  }
})
