/** The schema of an object that says its kind, and has one number besides. */
export const kind = (name: string, rest: object = {}) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, [name]: { type: 'integer' } },
  ...rest
})

/** Two schemas between which the kind decides, and the branches that refer to them. */
export const SCHEMAS = { Novel: kind('pages'), Poem: kind('lines') }
export const REFS = [{ $ref: '#/components/schemas/Novel' }, { $ref: '#/components/schemas/Poem' }]
