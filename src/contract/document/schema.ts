import { regExpOf } from './pattern.js'
import { pointerTo, resolve, type Place } from './reference.js'

/** A JSON Schema (2020-12) as OpenAPI 3.1 uses it. */
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  format?: string
  default?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** What holds things by names of the author's choice, so that a response or property may be called `default`. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'requestBodies',
  'callbacks',
  'links',
  'securitySchemes',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'dependentRequired',
  'mapping',
  'variables',
  'scopes'
])

/**
 * A copy of a part of the document in which every object that may be a schema went through `rewrite`; data (examples,
 * defaults, enumerations, extensions) is left as it is, but a property that is called `example` is not data.
 */
export function rewriteSchemas<Node> (node: Node, rewrite: (schema: Schema) => Schema, named = false): Node {
  if (Array.isArray(node)) return node.map((item) => rewriteSchemas(item, rewrite)) as Node
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, child]) => [
    name,
    isData(name, named) ? child : rewriteSchemas(child, rewrite, NAMED.has(name) && !named)
  ])
  const copy = Object.fromEntries(entries)
  return named ? copy : (rewrite(copy) as Node)
}

/** Calls `visit` with every object that may be a schema or a reference, and its place, in the order of the document. */
export function visitPlaces (node: unknown, visit: (place: Place<Schema>) => void, pointer = '#', named = false): void {
  if (typeof node !== 'object' || node === null) return
  const list = Array.isArray(node)
  if (!named && !list) visit({ value: node as Schema, pointer })
  for (const [name, child] of Object.entries(node)) {
    if (typeof child !== 'object' || (!list && isData(name, named))) continue
    visitPlaces(child, visit, pointerTo(pointer, name), !list && NAMED.has(name) && !named)
  }
}

/**
 * A copy of a document in which no name of data is left that could be taken for a keyword: a `$ref` of an example, or a
 * property of that name.
 */
export function withoutData<Node> (node: Node, named = false): Node {
  if (Array.isArray(node)) return node.map((item) => withoutData(item)) as Node
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, child]) => {
      if (named ? name.startsWith('$') : isData(name, false) && name !== 'enum' && typeof child === 'object') return []
      return [[name, name === 'enum' && !named ? child : withoutData(child, NAMED.has(name) && !named)]]
    })
  ) as Node
}

function isData (name: string, named: boolean): boolean {
  return !named && (DATA.has(name) || name.startsWith('x-'))
}

/** What a schema of the document says after its references. */
export function schemaAt (document: object, schema: Schema): Schema {
  return resolve(document, { value: schema, pointer: '#' }).value
}

/** The schemas within one that may describe the same value as it does. */
export function branchesOf ({ allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas }: Schema): Schema[] {
  return [allOf, anyOf, oneOf, then, otherwise, Object.values(dependentSchemas ?? {})]
    .flat()
    .filter((branch) => branch !== undefined) as Schema[]
}

/**
 * The parts of schemas that were asked for, by their document: a body may ask for those of one schema as often as it
 * has names.
 */
const known = new WeakMap<object, WeakMap<Schema, Schema[]>>()

/** A schema and every part of it that describes the same value: what it refers to, and its {@link branchesOf}. */
export function partsOf (document: object, schema: Schema): Schema[] {
  if (typeof schema !== 'object' || schema === null) return []
  let ofDocument = known.get(document)
  if (!ofDocument) known.set(document, (ofDocument = new WeakMap()))
  let parts = ofDocument.get(schema)
  if (!parts) ofDocument.set(schema, (parts = [...new Set(collectParts(document, schema, new Set()))]))
  return parts
}

function collectParts (document: object, schema: Schema, seen: Set<Schema>): Schema[] {
  const here = typeof schema === 'object' && schema !== null ? schemaAt(document, schema) : schema
  if (typeof here !== 'object' || here === null || seen.has(here)) return []
  seen.add(here)
  // In 3.1, what stands beside a $ref counts too.
  const beside = here === schema ? [] : [schema]
  return [
    here,
    ...beside,
    ...[here, ...beside].flatMap(branchesOf).flatMap((part) => collectParts(document, part, seen))
  ]
}

/** Says nothing. One for all, so that it is looked into once. */
const ANYTHING: Schema = {}

/** What a schema says of the first items of an array, each by itself. */
export function prefixItemsOf (document: object, schema: Schema): Schema[] {
  return (partsOf(document, schema).find(({ prefixItems }) => Array.isArray(prefixItems))?.prefixItems ??
    []) as Schema[]
}

/** What a schema says of the items of an array, or those after the first. */
export function itemsOf (document: object, schema: Schema): Schema {
  return partsOf(document, schema).find(({ items }) => typeof items === 'object')?.items ?? ANYTHING
}

/** What a schema says of a property of an object. */
export function propertyOf (document: object, schema: Schema, name: string): Schema {
  const parts = partsOf(document, schema)
  const declared = parts.find(({ properties }) => properties && Object.hasOwn(properties, name))?.properties?.[name]
  if (declared !== undefined) return declared
  const [fitting] = parts
    .flatMap(({ patternProperties }) => Object.entries(patternProperties ?? {}))
    .filter(([pattern]) => regExpOf(pattern).test(name))
    .map(([, one]) => one as Schema)
  return fitting ?? othersOf(document, schema)[0] ?? ANYTHING
}

/** What a schema says of the properties that it does not name. */
export function othersOf (document: object, schema: Schema): Schema[] {
  return partsOf(document, schema)
    .flatMap(({ additionalProperties, unevaluatedProperties }) => [additionalProperties, unevaluatedProperties])
    .filter((other) => typeof other === 'object' && other !== null) as Schema[]
}

/**
 * The names of the properties that a schema declares, and whether it asks for others too or leaves all of them open.
 */
export function propertiesOf (document: object, schema: Schema): { names: Set<string>; open: boolean } {
  const parts = partsOf(document, schema)
  const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))
  const asked = parts.some(
    ({ additionalProperties = false, unevaluatedProperties = false, patternProperties }) =>
      patternProperties || additionalProperties !== false || unevaluatedProperties !== false
  )
  const closed = parts.some(({ additionalProperties }) => additionalProperties === false)
  const { properties, anyOf, oneOf } = schemaAt(document, schema) as Schema & Record<string, Schema[] | undefined>
  const free =
    names.size === 0
      ? !closed
      : !properties && [...(anyOf ?? []), ...(oneOf ?? [])].some((branch) => isFree(document, branch))
  return { names, open: asked || free }
}

/** Whether nothing at all is said of a value. */
function isFree (document: object, schema: Schema): boolean {
  const { type, properties, allOf, anyOf, oneOf, required, enum: values, ...rest } = schemaAt(document, schema)
  return (
    (type === undefined || type === 'object') &&
    !properties &&
    !allOf &&
    !anyOf &&
    !oneOf &&
    !required &&
    !values &&
    !('const' in rest) &&
    rest.additionalProperties !== false
  )
}

/** Every type that a schema or one of its alternatives names, or that its values and keywords show. */
export function typesOf (document: object, schema: Schema): string[] {
  return [...new Set(partsOf(document, schema).flatMap((part) => [part.type ?? typesShownBy(part)].flat()))]
}

function typesShownBy (schema: Schema): string[] {
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []
  if (values.length > 0) {
    return values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value))
  }
  if (schema.properties || schema.additionalProperties) return ['object']
  if (schema.items || schema.prefixItems) return ['array']
  return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some(
    (keyword) => keyword in schema
  )
    ? ['number']
    : []
}
