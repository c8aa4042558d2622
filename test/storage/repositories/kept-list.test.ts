import t from 'tap'
import { KeptList } from '../../../src/storage/repositories/kept-list.js'

const ENTRIES = [1, 2, 3].map((id) => ({ id, item: { id } }))

const keptList = (mostInPages: number) =>
  new KeptList(
    (after, count) => {
      const entries = ENTRIES.filter(({ id }) => id > after).slice(0, count)
      return { entries, isLast: entries.length < count }
    },
    { mostInPages }
  )

t.test('a page that is asked for again is the same object', async (t) => {
  const list = keptList(100)
  const page = list.page(0, 2)
  t.same(page, { items: [{ id: 1 }, { id: 2 }], next: 2 })
  t.equal(list.page(0, 2), page)
})

t.test('pages are bounded, those beyond the end of the list among them, which have no items', async (t) => {
  const list = keptList(10)
  const page = list.page(0, 2)
  for (let after = 1_000; after < 1_007; after++) t.same(list.page(after, 2), { items: [] })
  t.equal(list.page(0, 2), page, 'there is room for all so far')
  list.page(2_000, 2)
  t.not(list.page(0, 2), page, 'all were given up')
  t.same(list.page(0, 2), page)
})
