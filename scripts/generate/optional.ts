import ts, { factory } from 'typescript'

const PLACES = ['query', 'header', 'cookie']

/**
 * Lets whatever a caller need not send be undefined too, under `exactOptionalPropertyTypes` as well: parameters, and
 * the properties of those in the query and of JSON bodies. A caller has values that are not there yet, such as the
 * cursor of the first page, and neither a query nor JSON holds what is undefined.
 */
export function allowUndefined (nodes: ts.Node[]): void {
  const interfaces = new Map(nodes.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]))
  const widened = new Set<ts.Node>()

  for (const operation of interfaces.get('operations')?.members ?? []) {
    for (const name of PLACES) {
      const place = memberOf(memberOf(operation, 'parameters'), name)
      const change = name === 'query' ? widenAll : widen
      membersOf(place).forEach(change)
      if (place) widen(place)
    }
    for (const media of membersOf(memberOf(memberOf(operation, 'requestBody'), 'content'))) {
      if (/[/+]json$/i.test(nameOf(media))) widenAll(media)
    }
  }

  /** Changes `name?: Type` to `name?: Type | undefined`; `name?: never` says that there is no such thing, and stays. */
  function widen (property: ts.PropertySignature): void {
    const { questionToken, type } = property
    if (!questionToken || !type || type.kind === ts.SyntaxKind.NeverKeyword) return
    const none = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
    Object.assign(property, { type: factory.createUnionTypeNode([type, none]) })
  }

  /** Widens every property in a type, and in the types that it refers to. */
  function widenAll (node: ts.Node): void {
    if (widened.has(node)) return
    widened.add(node)
    if (ts.isPropertySignature(node)) widen(node)
    if (!ts.isIndexedAccessTypeNode(node)) return ts.forEachChild(node, widenAll)
    const referred = referredBy(node)
    if (referred) widenAll(referred)
  }

  /** The property that a type such as `components["schemas"]["Pet"]` refers to. */
  function referredBy ({ objectType, indexType }: ts.IndexedAccessTypeNode): ts.PropertySignature | undefined {
    const isNamed = ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal)
    return isNamed ? memberOf(objectType, indexType.literal.text) : undefined
  }

  function memberOf (owner: ts.Node | undefined, name: string): ts.PropertySignature | undefined {
    return membersOf(owner).find((member) => nameOf(member) === name)
  }

  /** The properties of an interface or an object, or of what a property or a reference holds. */
  function membersOf (owner: ts.Node | undefined): ts.PropertySignature[] {
    if (!owner) return []
    if (ts.isTypeLiteralNode(owner) || ts.isInterfaceDeclaration(owner)) {
      return owner.members.filter(ts.isPropertySignature)
    }
    if (ts.isPropertySignature(owner)) return membersOf(owner.type)
    if (ts.isIndexedAccessTypeNode(owner)) return membersOf(referredBy(owner))
    return ts.isTypeReferenceNode(owner) && ts.isIdentifier(owner.typeName)
      ? membersOf(interfaces.get(owner.typeName.text))
      : []
  }
}

function nameOf ({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''
}
