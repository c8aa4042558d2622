import t from 'tap'
import { startService } from '../../support/service.js'

t.test(
  'POST /categories answers 201 with the category and its new id, and GET lists the very same in id order',
  async (t) => {
    const { call } = await startService(t)
    const bodies = [
      { name: 'Dogs', description: 'Good ones' },
      { name: 'Dogs' },
      { name: ' Größe 🐈 ', description: '' },
      { name: 'Fish', description: 'Those that swim,\n\tin two lines' }
    ]
    for (const [index, body] of bodies.entries()) {
      const { status, json } = await call('POST', '/categories', { body })
      t.same({ status, json }, { status: 201, json: { id: index + 1, ...body } })
    }
    t.same(
      (await call('GET', '/categories')).json,
      bodies.map((body, index) => ({ id: index + 1, ...body }))
    )
  }
)

t.test('a body that is not as declared is a 400 that names what is wrong', async (t) => {
  const { call } = await startService(t)
  const wanted: [body: unknown, message: string | RegExp][] = [
    [{}, "Body property 'name' is required."],
    [{ name: '' }, "Body property 'name' must have at least 1 character."],
    [{ name: 5 }, "Body property 'name' must be a string."],
    [{ name: 'two\nlines' }, "Body property 'name' must not have control characters, such as line breaks."],
    [{ name: 'x', description: null }, "Body property 'description' must be a string."],
    [{ name: 'x', description: 'a\u0000b' }, "Body property 'description' must not have control characters other than tabs and line breaks."],
    [{ name: 'x', id: 5 }, "Body property 'id' is not known."],
    [[], 'The body must be an object.']
  ]
  for (const [body, message] of wanted) {
    const { status, json } = await call('POST', '/categories', { body })
    t.match({ status, json }, { status: 400, json: { code: 'bad_request', message } }, JSON.stringify(body))
  }
  t.equal((await call('GET', '/categories')).text, '[]', 'nothing was stored')
})

t.test('an animal may belong to a category that is not there', async (t) => {
  const { call } = await startService(t)
  t.equal((await call('POST', '/pets', { body: { name: 'Rex', categoryId: 404 } })).status, 201)
})
