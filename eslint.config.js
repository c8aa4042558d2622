import neostandard from 'neostandard'

export default [
  ...neostandard({ ts: true, ignores: ['dist', 'generated', 'node_modules', '.tap'] }),
  {
    rules: {
      'no-console': 'error',
      // One clock: whatever depends on the time must be drivable by a test.
      'no-restricted-syntax': ['error',
        { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take the time from the Clock.' },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the time from the Clock.' }
      ]
    }
  },
  { files: ['src/cli/**', 'src/main.ts', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  { files: ['src/domain/clock.ts', 'scripts/**', 'test/**'], rules: { 'no-restricted-syntax': 'off' } }
]
