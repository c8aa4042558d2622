import type { Document } from './openapi.js'
import { regExpOf } from './pattern.js'
import type { Located } from './pointer.js'
import { isReference, lookUp, resolve } from './reference.js'
import { inPlaceSubschemasOf, ownTypesOf, type Schema } from './schema.js'

/** Allows anything. One object for all who ask, so that it is looked into once. */
const ANYTHING: Schema = {}

/** Answers what the schemas of one document say of values, through references and compositions. */
export class Schemas {
  /** What {@link applicable} gave before: a request may ask as often for one schema as it has names. */
  readonly #applicable = new WeakMap<Schema, Schema[]>()

  constructor (readonly document: Document) {}

  /** Follows the references from a place in the document until something else stands there. */
  resolve<Value> (located: Located<Value>): Located<Value> {
    return resolve(this.document, located)
  }

  /** The schema that a `$ref` leads to, be it another reference. */
  lookUp (reference: string): Schema {
    return lookUp(this.document, reference, reference) as Schema
  }

  /** A schema after its references. */
  dereference (schema: Schema): Schema {
    return resolve(this.document, { value: schema, pointer: '#' }).value
  }

  /** Every schema that may apply to the same value as one does: itself, what it refers to, and their compositions. */
  applicable (schema: Schema): Schema[] {
    if (!isObject(schema)) return []
    let applicable = this.#applicable.get(schema)
    if (!applicable) this.#applicable.set(schema, (applicable = [...new Set(this.#collect(schema, new Set()))]))
    return applicable
  }

  #collect (schema: Schema, seen: Set<Schema>): Schema[] {
    if (!isObject(schema) || seen.has(schema)) return []
    seen.add(schema)
    // In 3.1, what stands beside a $ref counts too.
    const target = isReference(schema) ? this.#collect(this.lookUp(schema.$ref), seen) : []
    return [...target, schema, ...inPlaceSubschemasOf(schema).flatMap((subschema) => this.#collect(subschema, seen))]
  }

  /** Every type that a schema or one of its compositions allows, or implies by its values and keywords. */
  types (schema: Schema): string[] {
    return [...new Set(this.applicable(schema).flatMap(ownTypesOf))]
  }

  /** Tells whether every value of a schema is of one of its {@link types}; an alternative without a type allows any. */
  isTyped (schema: Schema, within: Schema[] = []): boolean {
    if (!isObject(schema) || within.includes(schema)) return false
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema as Schema & Record<string, Schema[]>
    const isTyped = (one: Schema) => this.isTyped(one, [...within, schema])
    return (
      ownTypesOf(schema).length > 0 ||
      ($ref !== undefined && isTyped(this.lookUp($ref))) ||
      allOf.some(isTyped) ||
      [anyOf, oneOf].some((alternatives) => alternatives.length > 0 && alternatives.every(isTyped))
    )
  }

  /** The schemas of the first items of an array, each by itself. */
  prefixItems (schema: Schema): Schema[] {
    const declared = this.applicable(schema).find(({ prefixItems }) => Array.isArray(prefixItems))
    return (declared?.prefixItems ?? []) as Schema[]
  }

  /** The schema of the items of an array that {@link prefixItems} does not describe. */
  items (schema: Schema): Schema {
    return this.applicable(schema).find(({ items }) => typeof items === 'object')?.items ?? ANYTHING
  }

  /** The schema of a property of an object: the declared one, that of a pattern, or that of additional properties. */
  property (schema: Schema, name: string): Schema {
    const applicable = this.applicable(schema)
    const declared = applicable.find(({ properties }) => properties && Object.hasOwn(properties, name))
    if (declared) return declared.properties![name]!
    const [matching] = applicable
      .flatMap(({ patternProperties }) => Object.entries(patternProperties ?? {}))
      .filter(([pattern]) => regExpOf(pattern).test(name))
      .map(([, property]) => property as Schema)
    return matching ?? this.additionalProperties(schema)[0] ?? ANYTHING
  }

  /** The schemas of the properties of an object that are not declared by name or pattern. */
  additionalProperties (schema: Schema): Schema[] {
    return this.applicable(schema)
      .flatMap(({ additionalProperties, unevaluatedProperties }) => [additionalProperties, unevaluatedProperties])
      .filter((property) => isObject(property as Schema)) as Schema[]
  }

  /** The names of the properties that a schema declares, and whether a value is meant to have others too. */
  properties (schema: Schema): { names: Set<string>; open: boolean } {
    const applicable = this.applicable(schema)
    const names = new Set(applicable.flatMap(({ properties = {} }) => Object.keys(properties)))
    if (applicable.some(describesOtherProperties)) return { names, open: true }
    if (names.size > 0) return { names, open: this.#hasUnconstrainedBranch(schema) }
    return { names, open: !applicable.some(({ additionalProperties }) => additionalProperties === false) }
  }

  /** Whether a schema without properties of its own lets one of its alternatives be any object. */
  #hasUnconstrainedBranch (schema: Schema): boolean {
    const { properties, anyOf = [], oneOf = [] } = this.dereference(schema) as Schema & Record<string, Schema[]>
    return !properties && [...anyOf, ...oneOf].some((branch) => allowsAnyObject(this.dereference(branch)))
  }
}

function describesOtherProperties (schema: Schema): boolean {
  const { additionalProperties = false, unevaluatedProperties = false, patternProperties } = schema
  return Boolean(patternProperties) || additionalProperties !== false || unevaluatedProperties !== false
}

const OBJECT_CONSTRAINTS = ['properties', 'allOf', 'anyOf', 'oneOf', 'required', 'enum', 'const']

/** Whether a schema allows an object and constrains nothing of it. */
function allowsAnyObject (schema: Schema): boolean {
  if (schema.type !== undefined && schema.type !== 'object') return false
  const isConstrained = OBJECT_CONSTRAINTS.some((keyword) => Object.hasOwn(schema, keyword))
  return !isConstrained && schema.additionalProperties !== false
}

/** A schema may also be true or false, and of an unusual document null. */
function isObject (schema: Schema): boolean {
  return typeof schema === 'object' && schema !== null
}
