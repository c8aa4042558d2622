import t from 'tap'
import { missingScopes, SCOPE_NAMES } from '../../src/domain/scopes.js'

t.test('a key has the scopes that it names, or all when it names none', async (t) => {
  t.same(missingScopes({}, [...SCOPE_NAMES, 'of:later']), [])
  t.same(missingScopes({ scopes: ['pets:read'] }, []), [])
  t.same(missingScopes({ scopes: ['pets:read'] }, ['pets:read']), [])
  t.same(missingScopes({ scopes: ['pets:read'] }, ['pets:read', 'pets:write', 'of:later']), ['pets:write', 'of:later'])
})
