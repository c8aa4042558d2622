import t from 'tap'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { partValidatorsOf } from '../../../src/contract/validation/validator.js'
import { BOOK, read } from '../books.js'

const validatorOf = partValidatorsOf(new Schemas(await read({})))

t.test('a fault in a body is placed by a JSON pointer, however deep it lies and whatever its names are', async (t) => {
  const validate = validatorOf('body', { ...BOOK, required: ['title', '~/'] })
  const fault = validate({ title: 1, tags: ['a', 2], shelf: { 'row/1': 1 } })!
  t.same(fault.faults, [
    { in: 'body', pointer: '/~0~1', message: 'is required' },
    { in: 'body', pointer: '/title', message: 'must be a string' },
    { in: 'body', pointer: '/tags/1', message: 'must be a string' },
    { in: 'body', pointer: '/shelf/row~11', message: 'is not known' }
  ])
  t.equal(
    fault.message,
    ["'~/' is required", "'title' must be a string", "'tags.1' must be a string", "'shelf.row/1' is not known"]
      .map((clause) => `Body property ${clause}.`)
      .join(' ')
  )
  t.same(validate([])!.faults, [{ in: 'body', pointer: '', message: 'must be an object' }])
})

t.test('the alternatives of a value are one fault', async (t) => {
  const either = { anyOf: [{ type: 'integer', minimum: 3 }, { type: 'string' }] }
  const validate = validatorOf('body', { type: 'object', properties: { either } })
  t.same(validate({ either: null })!.faults, [
    { in: 'body', pointer: '/either', message: 'must be an integer or a string' }
  ])
})

t.test('what was expected of a value that may be one of several is said in one phrase, where it is of that value', async (t) => {
  const number = { type: 'integer', minimum: 3 }
  const either = { anyOf: [number, { type: 'integer', maximum: 1 }, { type: 'string' }] }
  const shelf = { anyOf: [{ type: 'object', required: ['row'] }, { type: 'object', required: ['name'] }] }
  const validate = validatorOf('body', { type: 'object', properties: { either, shelf } })
  t.same(validate({ either: 2, shelf: {} })!.faults, [
    { in: 'body', pointer: '/either', message: 'must be at least 3, or must be at most 1' },
    { in: 'body', pointer: '/shelf', message: 'fits none of its alternatives' }
  ])
})

t.test('a fault within a parameter names the parameter', async (t) => {
  const filter = { type: 'object', properties: { size: { type: 'integer' } } }
  const validate = validatorOf('query', { type: 'object', properties: { filter } })
  t.same(validate({ filter: { size: 'a' } })!.faults, [
    { in: 'query', name: 'filter', message: 'must be an integer' }
  ])
})

t.test('a header is named as the document spells it', async (t) => {
  const validate = validatorOf('header', {
    type: 'object',
    required: ['x-reader'],
    'x-spellings': { 'x-reader': 'X-Reader' }
  })
  t.match(validate({})!.faults, [{ in: 'header', name: 'X-Reader' }])
})

t.test('at most five faults are listed, exactly those that the message names', async (t) => {
  const validate = validatorOf('body', { type: 'object', required: ['a', 'b', 'c', 'd', 'e', 'f'] })
  const { faults, message } = validate({})!
  t.equal(faults.length, 5)
  const sentences = ['a', 'b', 'c', 'd', 'e'].map((name) => `Body property '${name}' is required.`)
  t.equal(message, `${sentences.join(' ')} And 1 more.`)
})
