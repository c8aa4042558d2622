import ts, { factory } from 'typescript'

const PLACES = ['query', 'header', 'cookie']

/**
 * Lets each parameter that need not be sent be undefined too, under `exactOptionalPropertyTypes` as well: a caller has
 * values that are not there yet, such as the cursor of the first page, and what is undefined is not sent.
 */
export function allowUndefined (nodes: ts.Node[]): void {
  const operations = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'operations')
  for (const operation of operations?.members ?? []) {
    const [parameters] = membersOf(operation).filter((part) => nameOf(part) === 'parameters')
    for (const place of membersOf(parameters).filter((part) => PLACES.includes(nameOf(part)))) {
      for (const parameter of membersOf(place)) widen(parameter)
      widen(place)
    }
  }
}

/** Changes `name?: Type` to `name?: Type | undefined`; `name?: never` says that there is no such thing, and stays. */
function widen (property: ts.PropertySignature): void {
  const { questionToken, type } = property
  if (!questionToken || !type || type.kind === ts.SyntaxKind.NeverKeyword) return
  const none = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
  Object.assign(property, { type: factory.createUnionTypeNode([type, none]) })
}

/** The properties of the object that a property holds. */
function membersOf (property: ts.Node | undefined): ts.PropertySignature[] {
  const type = property && ts.isPropertySignature(property) ? property.type : undefined
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function nameOf ({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''
}
