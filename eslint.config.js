import neostandard from 'neostandard'

const CLOCK = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take the time from the Clock.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the time from the Clock.' }
]
const CHAIN = {
  selector: 'ConditionalExpression > ConditionalExpression > ConditionalExpression',
  message: 'Write a chain of three conditions as statements, or as a table.'
}

const LINE = {
  code: 120,
  ignoreUrls: true,
  ignoreStrings: true,
  ignoreTemplateLiterals: true,
  ignoreRegExpLiterals: true
}

export default [
  ...neostandard({ ts: true, ignores: ['**/dist', 'generated', 'node_modules', '.tap'] }),
  {
    rules: {
      'no-console': 'error',
      '@stylistic/max-len': ['error', LINE],
      // One clock: whatever depends on the time must be drivable by a test.
      'no-restricted-syntax': ['error', ...CLOCK, CHAIN]
    }
  },
  // A test against a model is one long table of events.
  { files: ['src/**', 'scripts/**'], rules: { complexity: ['error', { max: 15, variant: 'modified' }] } },
  { files: ['src/cli/**', 'src/main.ts', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  { files: ['src/domain/clock.ts', 'scripts/**', 'test/**'], rules: { 'no-restricted-syntax': ['error', CHAIN] } },
  // The rows of a table in a test stay on one line each.
  { files: ['test/**'], rules: { '@stylistic/max-len': ['error', { ...LINE, ignorePattern: '^\\s*\\[' }] } }
]
