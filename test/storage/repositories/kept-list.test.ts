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

t.test('a page is made anew when one of its parts was dropped, and no other', async (t) => {
  const list = keptList(100)
  // The first page has a part of its own, and the second one goes on into the last part.
  const [first, last] = [list.page(0, 1), list.page(2, 1)]
  const whole = list.page(0, 3)
  list.drop(3)
  t.equal(list.page(0, 1), first)
  for (const [after, limit, page] of [[2, 1, last], [0, 3, whole]] as const) {
    t.not(list.page(after, limit), page)
    t.same(list.page(after, limit), page)
  }
  list.dropAll()
  t.not(list.page(0, 1), first)
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
