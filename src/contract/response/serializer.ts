import type { Document } from '../document/document.js'
import { regExpOf } from '../document/pattern.js'
import { othersOf, partsOf, propertiesOf, schemaAt, typesOf, type Schema } from '../document/schema.js'

/** Writes a value as JSON; undefined for what JSON has no word for. */
type Writer = (value: unknown) => string | undefined

/**
 * Writes values by the schemas of a document: only what it declares, bigints digit for digit.
 * @throws {Error} for a value of a type that its schema does not have, or one that lacks a required property; that is a
 * fault of ours
 */
export function serializerOf (document: object): (schema: Schema, value: unknown) => string {
  const writers = new Map<Schema, Writer>()
  return (schema, value) => writerOf(document, schema, writers)(value) ?? 'null'
}

/** A writer is made when the first value of its schema is written, so that a schema may refer to itself. */
function writerOf (document: object, schema: Schema, writers: Map<Schema, Writer>): Writer {
  let write = writers.get(schema)
  if (write) return write
  let made: { array: Writer; object: Writer } | undefined
  let types: string[] | undefined
  write = (value) => {
    types ??= typesOf(document, schema)
    if (types.length > 0 && value !== undefined && !isOf(types, value)) {
      throw new Error(`The answer has a value that is no ${types.join(' or ')}, as the document requires.`)
    }
    if (typeof value === 'string') return JSON.stringify(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
      return write!((value as { toJSON(): unknown }).toJSON())
    }
    made ??= { array: arrayWriterOf(document, schema, writers), object: objectWriterOf(document, schema, writers) }
    return Array.isArray(value) ? made.array(value) : made.object(value)
  }
  writers.set(schema, write)
  return write
}

function arrayWriterOf (document: object, schema: Schema, writers: Map<Schema, Writer>): Writer {
  const parts = partsOf(document, schema)
  const first = parts
    .flatMap(({ prefixItems }) => (prefixItems ?? []) as Schema[])
    .map((item) => writerOf(document, item, writers))
  const others = parts.flatMap(({ items }) => (typeof items === 'object' ? [items] : []))
  const rest = writerOf(document, together(others), writers)
  return (value) => `[${(value as unknown[]).map((item, index) => (first[index] ?? rest)(item) ?? 'null').join(',')}]`
}

function objectWriterOf (document: object, schema: Schema, writers: Map<Schema, Writer>): Writer {
  const whole: Schema = { anyOf: [schema, ...heirsOf(document, schema)] }
  const parts = partsOf(document, whole)
  const { names, open } = propertiesOf(document, whole)
  const required = requiredOf(document, schema)
  const declared = new Set([...names, ...required])
  const properties = [...declared].flatMap((name) => {
    const property = together(
      parts.flatMap(({ properties }) => (properties && Object.hasOwn(properties, name) ? [properties[name]!] : []))
    )
    const says = Object.assign({}, ...partsOf(document, property).toReversed()) as Schema
    if (says.writeOnly) return []
    return [
      {
        name,
        key: `${JSON.stringify(name)}:`,
        write: writerOf(document, property, writers),
        required: required.has(name)
      }
    ]
  })
  const patterns = parts
    .flatMap(({ patternProperties }) => Object.entries(patternProperties ?? {}))
    .map(([pattern, one]) => ({ pattern: regExpOf(pattern), write: writerOf(document, one as Schema, writers) }))
  const closed = parts.some(({ additionalProperties }) => additionalProperties === false)
  const rest = closed ? () => undefined : writerOf(document, together(othersOf(document, whole)), writers)
  const other = (name: string) => patterns.find(({ pattern }) => pattern.test(name))?.write ?? rest

  return (value) => {
    const object = value as Record<string, unknown>
    const members: string[] = []
    for (const { name, key, write, required } of properties) {
      const text = write(object[name])
      if (text !== undefined) members.push(key + text)
      else if (required) throw new Error(`The answer has no '${name}', which the document requires.`)
    }
    if (open) {
      for (const [name, one] of Object.entries(object)) {
        const text = declared.has(name) ? undefined : other(name)(one)
        if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
      }
    }
    return `{${members.join(',')}}`
  }
}

/**
 * The schemas of the document that extend one with a discriminator, any of which a value may be (OpenAPI 3.1.1, section
 * 4.8.25).
 */
function heirsOf (document: object, schema: Schema): Schema[] {
  const { components: { schemas = {} } = {} } = document as Document
  const bases = partsOf(document, schema).filter((part) => part.discriminator && !part.oneOf && !part.anyOf)
  if (bases.length === 0) return []
  return Object.values(schemas).filter(
    (one) => !bases.includes(one) && partsOf(document, one).some((part) => bases.includes(part))
  )
}

/** What every object of a schema must have. */
function requiredOf (document: object, schema: Schema, seen = new Set<Schema>()): Set<string> {
  const here = schemaAt(document, schema)
  if (seen.has(here)) return new Set()
  seen.add(here)
  return new Set([
    ...(here.required ?? []),
    ...((here.allOf ?? []) as Schema[]).flatMap((part) => [...requiredOf(document, part, seen)])
  ])
}

/** The schema of what several branches describe, each in its own way. */
function together (schemas: Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

/** Whether a value will be of one of these types when it is written. */
function isOf (types: string[], value: unknown): boolean {
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'bigint' || typeof value === 'number') {
    return (
      types.includes('number') || (types.includes('integer') && (typeof value === 'bigint' || Number.isInteger(value)))
    )
  }
  return typeof value === 'object' ? types.includes('object') || 'toJSON' in value : types.includes(typeof value)
}
