import type { AnySchema, AnySchemaObject, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv'
import type Ajv from 'ajv/dist/core.js'
import { regExpOf } from '../document/pattern.js'
import { escapeToken } from '../document/pointer.js'

/**
 * Replaces `unevaluatedProperties` and `unevaluatedItems` of Ajv (JSON Schema 2020-12, section 11), which disregards
 * `contains` and counts what an `if` evaluates even when it does not hold.
 */
export function addUnevaluatedKeywords (ajv: Ajv.default): void {
  // The code with which Ajv tracks evaluation itself may refer to variables that do not exist.
  ajv.opts.unevaluated = false
  const checks = new Map<AnySchema, ValidateFunction>()
  /** Results by value and schema: without them, checking a nested value would take exponential time. */
  const results = new WeakMap<object, Map<AnySchema, boolean>>()
  const fits = (schema: AnySchema, value: unknown): boolean => {
    // Ajv fills in no defaults within a `not`.
    if (!checks.has(schema)) checks.set(schema, ajv.compile({ not: schema }))
    if (typeof value !== 'object' || value === null) return !checks.get(schema)!(value)
    if (!results.has(value)) results.set(value, new Map())
    const known = results.get(value)!
    if (!known.has(schema)) known.set(schema, !checks.get(schema)!(value))
    return known.get(schema)!
  }

  /** Lists the subschemas that apply to the same value as a schema does, and that the value fits. */
  const appliedBy = (schema: AnySchemaObject, value: Record<string, unknown>): AnySchema[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [], if: condition, dependentSchemas = {} } = schema
    const conditional = condition === undefined ? [] : [condition, fits(condition, value) ? schema.then : schema.else]
    const dependent = Object.keys(dependentSchemas).map((name) => Object.hasOwn(value, name) && dependentSchemas[name])
    const inPlace: AnySchema[] = [allOf, anyOf, oneOf, conditional, dependent].flat()
    const applied = inPlace.filter((subschema) => typeof subschema === 'object' && fits(subschema, value))
    return $ref === undefined ? applied : [...applied, ajv.getSchema($ref)!.schema]
  }

  const evaluates = (schema: AnySchema, value: Record<string, unknown>, name: string): boolean => {
    if (typeof schema === 'boolean') return false
    const { prefixItems = [], contains = false, properties = {}, patternProperties = {} } = schema
    const others = Array.isArray(value) ? ['items', 'unevaluatedItems'] : ['additionalProperties', 'unevaluatedProperties']
    if (others.some((keyword) => schema[keyword] !== undefined)) return true
    const isListed = Array.isArray(value)
      ? Number(name) < prefixItems.length || fits(contains, value[Number(name)])
      : Object.hasOwn(properties, name) || Object.keys(patternProperties).some((one) => regExpOf(one).test(name))
    return isListed || appliedBy(schema, value).some((subschema) => evaluates(subschema, value, name))
  }

  for (const [keyword, type] of [['unevaluatedProperties', 'object'], ['unevaluatedItems', 'array']] as const) {
    const validate: SchemaValidateFunction = (schema: AnySchema, value: Record<string, unknown>, parent, context) => {
      const others = { ...parent, [keyword]: undefined }
      const errors: Partial<ErrorObject>[] = []
      for (const name of Object.keys(value).filter((one) => !evaluates(others, value, one))) {
        const instancePath = `${context!.instancePath}/${escapeToken(name)}`
        const check = ajv.compile(schema)
        if (check(value[name], { ...context!, instancePath, parentData: value, parentDataProperty: name })) continue
        const isUnknown = schema === false && type === 'object'
        errors.push(...(isUnknown ? [{ keyword: 'additionalProperties', params: { additionalProperty: name } }] : check.errors!))
        if (!ajv.opts.allErrors) break
      }
      return (validate.errors = errors).length === 0
    }
    ajv.removeKeyword(keyword)
    ajv.addKeyword({ keyword, type, validate })
  }
}
