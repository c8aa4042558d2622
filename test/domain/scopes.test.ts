import t from 'tap'
import { lackOf, SCOPE_NAMES } from '../../src/domain/scopes.js'

t.test('a key has the scopes that it names, or all when it names none', async (t) => {
  t.same(lackOf({}, [...SCOPE_NAMES, 'of:later']), [])
  t.same(lackOf({ scopes: ['pets:read'] }, []), [])
  t.same(lackOf({ scopes: ['pets:read'] }, ['pets:read']), [])
  t.same(lackOf({ scopes: ['pets:read'] }, ['pets:read', 'pets:write', 'of:later']), ['pets:write', 'of:later'])
})
