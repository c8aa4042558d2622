import t from 'tap'
import { after, given, listBooks, parameter, schemas, sent, to, type Harmless } from './library.js'

const HARMLESS: Harmless[] = [
  ['words, examples and tags', (d) => { Object.assign(listBooks(d), { summary: 'Books', description: 'All of them.', tags: ['Books'] }); Object.assign(sent(d).title, { description: 'Its name.', examples: ['Emma'], deprecated: true }); d.info.description = 'Books.' }],
  ['extensions', (d) => { d['x-owner'] = listBooks(d)['x-owner'] = sent(d).title['x-owner'] = 'us' }],
  ['a schema gets a name', (d) => { schemas(d).Limit = parameter(d, 'limit').schema; parameter(d, 'limit').schema = to('Limit') }],
  ['a schema is written out', (d) => { sent(d).genre = schemas(d).Genre }],
  ['a response is written out', (d) => { listBooks(d).responses[404] = d.components.responses.Error }],
  ['a schema in parts', (d) => { const { pages, ...properties } = given(d); Object.assign(schemas(d), { Pages: { properties: { pages } }, Book: { allOf: [to('Pages')], type: 'object', required: ['id', 'title'], properties } }) }],
  ['a limit beside a reference', (d) => { given(d).genre = { ...to('Genre'), enum: ['novel'] } }],
  ['types as a choice', (d) => { sent(d).isbn = { anyOf: [{ type: 'null' }, { type: 'string' }] } }]
]

t.test('the same document in other words breaks nobody', async (t) => {
  for (const [title, edit] of HARMLESS) t.same(after(edit), [], title)
})
