import { isInteger, toInteger } from '../document/int64.js'
import { regExpOf } from '../document/pattern.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { AnswerFault } from './answer-fault.js'
import { enumerationsOf, listedFor } from './enumeration.js'

/** Writes a value as the JSON of a schema. */
export type Serialize = (schema: Schema, value: unknown) => string

/** Writes a value of one schema as JSON; undefined for what JSON has no word for. */
type Writer = (value: unknown) => string | undefined

/** Writes a property of an object. */
interface PropertyWriter {
  name: string
  /** The name as it stands in JSON, with its colon. */
  key: string
  write: Writer
  required: boolean
  /** Whether every object has something of that name, such as `constructor`, that it was not given. */
  isInherited: boolean
}

/**
 * Makes a serializer that writes values by the schemas of a document: only what these declare, bigints digit for digit.
 * It throws an {@link AnswerFault} for a value of a type that its schema does not have, one that its enumeration does
 * not have, and an object that lacks a required property.
 */
export function serializerOf (schemas: Schemas): Serialize {
  const writers = new Map<Schema, Writer>()
  return (schema, value) => writerOf(schema)(value) ?? 'null'

  /** A writer is made when the first value of its schema is written, so that a schema may refer to itself. */
  function writerOf (schema: Schema): Writer {
    const known = writers.get(schema)
    if (known) return known
    let check: ((value: unknown) => void) | undefined
    let composite: { array: Writer; object: Writer } | undefined
    const write: Writer = (value) => {
      check ??= checkOf(schema)
      check(value)
      if (typeof value === 'bigint') return String(value)
      if (typeof value !== 'object' || value === null) return JSON.stringify(value)
      if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
      composite ??= { array: arrayWriterOf(schema), object: objectWriterOf(schema) }
      return Array.isArray(value) ? composite.array(value) : composite.object(value)
    }
    writers.set(schema, write)
    return write
  }

  /** Makes what throws an AnswerFault for a value that is of no type of a schema, or not in its enumeration. */
  function checkOf (schema: Schema): (value: unknown) => void {
    const types = schemas.isTyped(schema) ? schemas.types(schema) : []
    const enumerations = enumerationsOf(schemas, schema)
    return (value) => {
      if (types.length > 0 && value !== undefined && !hasType(types, value)) {
        throw new AnswerFault(`must be of the type ${types.join(' or ')}`)
      }
      const listed = enumerations && listedFor(enumerations, value)
      if (listed && !listed.has(isInteger(value) ? toInteger(value) : value)) {
        throw new AnswerFault(`must be one of: ${[...listed].join(', ')}`)
      }
    }
  }

  function arrayWriterOf (schema: Schema): Writer {
    const applicable = schemas.applicable(schema)
    const first = applicable.flatMap(({ prefixItems }) => (prefixItems ?? []) as Schema[]).map(writerOf)
    const other = writerOf(anyOf(applicable.flatMap(({ items }) => (typeof items === 'object' ? [items] : []))))
    return (value) => {
      const items = (value as unknown[]).map((item, index) => writeAt(index, first[index] ?? other, item) ?? 'null')
      return `[${items.join(',')}]`
    }
  }

  function objectWriterOf (schema: Schema): Writer {
    const whole: Schema = { anyOf: [schema, ...subtypesOf(schema)] }
    const { names, open } = schemas.properties(whole)
    const required = requiredOf(schema)
    const declared = new Set([...names, ...required])
    const properties = [...declared].flatMap((name) => propertyWriterOf(whole, name, required.has(name)))
    const writerOfOther = otherPropertiesWriterOf(whole)
    return (value) => {
      const object = value as Record<string, unknown>
      const members: string[] = []
      for (const { name, key, write, required, isInherited } of properties) {
        const property = isInherited && !Object.hasOwn(object, name) ? undefined : object[name]
        const text = writeAt(name, write, property)
        if (text !== undefined) members.push(key + text)
        else if (required) throw new AnswerFault('is required').within(name)
      }
      if (open) {
        for (const [name, property] of Object.entries(object)) {
          const text = declared.has(name) ? undefined : writeAt(name, writerOfOther(name), property)
          if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
        }
      }
      return `{${members.join(',')}}`
    }
  }

  /** None for a property that is only written, which no answer has. */
  function propertyWriterOf (schema: Schema, name: string, required: boolean): PropertyWriter[] {
    const property = anyOf(
      schemas
        .applicable(schema)
        .flatMap(({ properties }) => (properties && Object.hasOwn(properties, name) ? [properties[name]!] : []))
    )
    const { writeOnly } = Object.assign({}, ...schemas.applicable(property).toReversed()) as Schema
    if (writeOnly) return []
    const isInherited = name in Object.prototype
    return [{ name, key: `${JSON.stringify(name)}:`, write: writerOf(property), required, isInherited }]
  }

  /** The writer of each property that is not declared by its name. */
  function otherPropertiesWriterOf (schema: Schema): (name: string) => Writer {
    const applicable = schemas.applicable(schema)
    const patterns = applicable
      .flatMap(({ patternProperties }) => Object.entries(patternProperties ?? {}))
      .map(([pattern, property]) => ({ pattern: regExpOf(pattern), write: writerOf(property as Schema) }))
    const isClosed = applicable.some(({ additionalProperties }) => additionalProperties === false)
    const rest = isClosed ? () => undefined : writerOf(anyOf(schemas.additionalProperties(schema)))
    return (name) => patterns.find(({ pattern }) => pattern.test(name))?.write ?? rest
  }

  /**
   * The schemas of the document that extend one with a discriminator, any of which a value may be (OpenAPI 3.1.1,
   * section 4.8.25).
   */
  function subtypesOf (schema: Schema): Schema[] {
    const isBase = ({ discriminator, oneOf, anyOf }: Schema) => discriminator && !oneOf && !anyOf
    const bases = schemas.applicable(schema).filter(isBase)
    if (bases.length === 0) return []
    return Object.values(schemas.document.components?.schemas ?? {}).filter(
      (other) => !bases.includes(other) && schemas.applicable(other).some((part) => bases.includes(part))
    )
  }

  /** The names of the properties that every object of a schema must have. */
  function requiredOf (schema: Schema, seen = new Set<Schema>()): Set<string> {
    const target = schemas.dereference(schema)
    if (seen.has(target)) return new Set()
    seen.add(target)
    const { required = [], allOf = [] } = target
    return new Set([...required, ...(allOf as Schema[]).flatMap((part) => [...requiredOf(part, seen)])])
  }
}

/** A schema of what several describe, each in its own way. */
function anyOf (schemas: Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

/** Writes a property or an item; what is wrong with it is said of its place. */
function writeAt (name: string | number, write: Writer, value: unknown): string | undefined {
  try {
    return write(value)
  } catch (error) {
    throw error instanceof AnswerFault ? error.within(name) : error
  }
}

/** Whether a value will be of one of these types when it is written. */
function hasType (types: string[], value: unknown): boolean {
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'bigint' || typeof value === 'number') {
    return types.includes('number') || (types.includes('integer') && isInteger(value))
  }
  return typeof value === 'object' ? types.includes('object') || 'toJSON' in value : types.includes(typeof value)
}
