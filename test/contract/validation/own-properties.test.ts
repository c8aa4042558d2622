import t from 'tap'
import { echo, read, serve } from '../books.js'

/** The names that every object has of JavaScript, but those with underscores. */
const NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith('_'))

t.test('a property has what was sent, whatever its name: what JavaScript has of that name is nothing', async (t) => {
  for (const name of NAMES) {
    const optional = await echo(t, { type: 'object', properties: { [name]: { type: 'string' } } })
    for (const body of ['{}', `{"${name}":"x"}`]) {
      const { status, text } = await optional.put(body)
      t.same([status, text], [200, body], name)
    }
    t.match(await optional.put(`{"${name}":1}`), { status: 400, json: { message: `'${name}' must be a string` } })
    const required = await echo(t, { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
    t.match(await required.put('{}'), { status: 400, json: { message: `'${name}' is required` } })
    const filled = await echo(t, { type: 'object', properties: { [name]: { type: 'string', default: 'y' } } })
    t.equal((await filled.put('{}')).text, `{"${name}":"y"}`, 'the default is filled in')
    const closed = await echo(t, { type: 'object', properties: {}, additionalProperties: false })
    t.equal((await closed.put(`{"${name}":1}`)).status, 400)
    const dependent = await echo(t, { type: 'object', dependentRequired: { [name]: ['other'] } })
    t.equal((await dependent.put('{}')).status, 200)
    const counted = await echo(t, { type: 'object', minProperties: 1, propertyNames: { minLength: 30 } })
    t.equal((await counted.put('{}')).status, 400)
  }
})

t.test('parameters may have these names too', async (t) => {
  for (const name of NAMES) {
    const parameters = ['query', 'header', 'cookie'].map((place) => ({ name, in: place, schema: { type: 'string' } }))
    const withBody = { 'application/x-www-form-urlencoded': { schema: { properties: { [name]: { type: 'string' } } } } }
    const document = await read({
      paths: {
        '/books': {
          post: {
            operationId: 'findBooks',
            parameters,
            requestBody: { content: withBody },
            responses: { 204: { description: 'Done.' } }
          }
        }
      }
    })
    const { call, received } = await serve(t, document, { findBooks: () => undefined })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    t.equal((await call('POST', '/books', '', form)).status, 204, name)
    for (const part of ['query', 'body'] as const) t.notOk(Object.hasOwn(received()[part] ?? {}, name), name)
    const sent = { ...form, [name]: 'h', cookie: `${name}=c` }
    t.equal((await call('POST', `/books?${name}=q`, `${name}=b`, sent)).status, 204, name)
    t.same([received().query[name], received().headers[name.toLowerCase()], received().body[name]], ['q', 'h', 'b'], name)
  }
})

t.test('an answer that lacks a property of such a name is a fault only where it is required', async (t) => {
  for (const name of NAMES) {
    for (const required of [[], [name]]) {
      const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required }
      const content = { 'application/json': { schema } }
      const document = await read({
        paths: { '/books': { get: { operationId: 'getBook', responses: { 200: { description: 'It.', content } } } } }
      })
      const { call } = await serve(t, document, { getBook: () => ({}) })
      t.equal((await call('GET', '/books')).status, required.length > 0 ? 500 : 200, name)
    }
  }
})
