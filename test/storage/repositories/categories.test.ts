import t from 'tap'
import type { NewCategory } from '../../../src/domain/pets.js'
import { categoryRepository } from '../../../src/storage/repositories/categories.js'
import { databasesUnderTest } from '../../support/databases.js'
import { contentOf } from '../../support/page.js'

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: a category comes back as it was stored, under ids that begin at 1 and grow`, async (t) => {
    const categories = categoryRepository(await open(t))
    t.same(contentOf(await categories.list({ limit: 20 })), { items: [] })
    const wanted: NewCategory[] = [
      { name: 'Dogs' },
      { name: 'Dogs', description: 'Another one of the same name' },
      { name: 'Cats', description: '' },
      { name: '犬 🐶', description: "Two\nlines,\ta tab, $1 and '; DROP TABLE categories;--" }
    ]
    const stored = wanted.map((category, index) => ({ id: index + 1, ...category }))
    for (const [index, category] of wanted.entries()) t.strictSame(await categories.create(category), stored[index])
    t.strictSame(contentOf(await categories.list({ limit: 100 })), { items: stored })
    t.strictSame(contentOf(await categories.list({ limit: 2, after: 1 })), { items: stored.slice(1, 3), next: 3 })
  })
}
