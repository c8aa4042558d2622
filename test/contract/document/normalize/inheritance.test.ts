import t, { type Test } from 'tap'
import { ContractError } from '../../../../src/contract/document/contract-error.js'
import { echoing, read, serve } from '../../books.js'

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (required: string[], properties: object = {}) => ({
  type: 'object',
  required,
  properties: { ...Object.fromEntries(required.map((name) => [name, { type: 'string' }])), ...properties }
})
const NOVEL = { allOf: [to('Book'), object(['plot'], { next: to('Book') })] }
const POEM = { allOf: [to('Book'), object(['metre'])] }

/** Serves PUT /books, which takes a value of a schema and answers it. */
async function putting (t: Test, schemas: object, openapi = '3.1.0', schema: object = to('Book')) {
  const { call } = await serve(t, await echoing(schema, schemas, openapi), { putBook: ({ body }) => body })
  return async (value: object) => {
    const { status, json } = await call('PUT', '/books', JSON.stringify(value))
    return status === 200 ? json : status
  }
}

const PARENTS: [title: string, schemas: Record<string, object>, versions?: string[]][] = [
  ['oneOf', { Book: { ...object(['title']), oneOf: [to('Novel'), to('Poem')] }, Novel: NOVEL, Poem: POEM }],
  ['anyOf', { Book: { ...object(['title']), anyOf: [to('Novel'), to('Poem')] }, Novel: NOVEL, Poem: POEM }],
  [
    'children that stand in the document before their parent',
    { Novel: NOVEL, Poem: POEM, Book: { ...object(['title']), oneOf: [to('Novel'), to('Poem')] } }
  ],
  ['children that have no name', { Book: { ...object(['title']), oneOf: [NOVEL, POEM] } }],
  [
    'a level between',
    {
      Book: { ...object(['title']), oneOf: [to('Novel'), to('Poem')] },
      Novel: { allOf: [to('Text'), object(['plot'], { next: to('Book') })] },
      Poem: { allOf: [to('Text'), object(['metre'])] },
      Text: { allOf: [to('Book')] }
    }
  ],
  [
    'a parent within a parent',
    {
      Book: { ...object(['title']), oneOf: [to('Text')] },
      Text: { allOf: [to('Book')], oneOf: [to('Novel'), to('Poem')] },
      Novel: { allOf: [to('Text'), object(['plot'], { next: to('Book') })] },
      Poem: { allOf: [to('Text'), object(['metre'])] }
    }
  ],
  [
    'a $ref with other keywords beside it',
    {
      Book: { ...object(['title']), oneOf: [to('Novel'), to('Poem')] },
      Novel: { ...object(['plot'], { next: to('Book') }), ...to('Book') },
      Poem: { ...object(['metre']), ...to('Book') }
    },
    ['3.1.0']
  ]
]

t.test('a parent that lists its children is, within a child, its own properties', async (t) => {
  for (const [title, schemas, versions = ['3.0.3', '3.1.0']] of PARENTS) {
    for (const version of versions) {
      await t.test(`${title} in ${version}`, async (t) => {
        const put = await putting(t, schemas, version)
        const novel = { title: 'A', plot: 'a', next: { title: 'B', metre: 'b' } }
        t.same(await put(novel), novel)
        t.equal(await put({ title: 'A' }), 400, 'a parent that is none of its children')
        t.equal(await put({ plot: 'a' }), 400, 'a child without what its parent requires')
        t.equal(await put({ ...novel, next: { title: 'B' } }), 400, 'a property is a whole parent')
      })
    }
  }
})

t.test('a child is asked for by itself, and a discriminator of the parent decides', async (t) => {
  const schemas = {
    Book: {
      ...object(['kind']),
      discriminator: { propertyName: 'kind', mapping: { novel: '#/components/schemas/Novel' } },
      oneOf: [to('Novel'), to('Poem')]
    },
    Novel: NOVEL,
    Poem: { allOf: [to('Book'), object(['metre'])], unevaluatedProperties: false }
  }
  const put = await putting(t, schemas)
  t.same(await put({ kind: 'novel', plot: 'a' }), { kind: 'novel', plot: 'a' })
  t.equal(await put({ kind: 'novel', metre: 'a' }), 400)
  t.equal(await put({ kind: 'map' }), 400)
  const putPoem = await putting(t, schemas, '3.1.0', to('Poem'))
  t.same(await putPoem({ kind: 'Poem', metre: 'a' }), { kind: 'Poem', metre: 'a' })
  t.equal(await putPoem({ kind: 'Poem', metre: 'a', plot: 'b' }), 400)
  t.equal(await putPoem({ metre: 'a' }), 400)
})

t.test('a parent may have nothing of its own but its children', async (t) => {
  const put = await putting(t, { Book: { oneOf: [to('Novel'), to('Poem')] }, Novel: NOVEL, Poem: POEM })
  t.same(await put({ plot: 'a' }), { plot: 'a' })
  t.equal(await put({}), 400)
})

t.test('loops that are no inheritance are refused', async (t) => {
  for (const [title, schemas] of [
    ['alternatives of one another', { Book: { oneOf: [to('Novel')] }, Novel: { oneOf: [to('Book')] } }],
    ['parts of one another', { Book: { allOf: [to('Novel')] }, Novel: { allOf: [to('Book'), object(['plot'])] } }],
    ['a child that is its parent', { Book: { oneOf: [to('Novel')] }, Novel: { allOf: [to('Book')] } }],
    ['a child that is not its parent', { Book: { ...object(['a']), oneOf: [to('Novel')] }, Novel: { not: to('Book') } }]
  ] as const) {
    await t.rejects(
      read({ components: { schemas } }),
      new ContractError(
        '#/components/schemas/Book: the schema refers to itself for the same value, which has no end.'
      ),
      title
    )
  }
})
