import ts from 'typescript'
import type { Document } from '../../src/contract/document/openapi.js'
import { entryOf } from '../generate/entry.js'
import { filesOf } from '../generate/package.js'

/**
 * Lists what the package of a document exports, by entry and name as `package.json` and its code have them: `. Pet`,
 * `./client createPetstore`; and `./petstore.json` for an entry that is no module.
 */
export async function packageExportsOf (document: Document): Promise<string[]> {
  const files = await filesOf(document)
  const { exports } = JSON.parse(files.get('package.json')!) as { exports: Record<string, object | string> }
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [entry]
    const { types } = (target as { require: { types: string } }).require
    return namesIn(files.get(types.replace('./', ''))!).map((name) => `${entry} ${name}`)
  })
}

/**
 * Lists which exports of the package are gone, a sentence each. Those that are named after a schema or an operation
 * that is gone are left out, as that is said already, and those of an operation that was experimental, which promised
 * nothing.
 */
export async function removedExports (was: Document, now: Document, released: string[]): Promise<string[]> {
  const [before, present] = [await entryOf(was), new Set(await packageExportsOf(now))]
  const after = await entryOf(now)
  const remaining = new Set([...after.operations.keys()].map(({ operationId }) => operationId))
  const told = [...before.operations].flatMap(([{ operationId, stability }, names]) =>
    stability === 'experimental' || !remaining.has(operationId) ? names : []
  )
  const schemas = before.schemas.filter((name) => !after.schemas.includes(name))
  const free = new Set([...told, ...schemas].map((name) => `. ${name}`))
  return released.filter((line) => !present.has(line) && !free.has(line)).map(sentenceOf)
}

function sentenceOf (line: string): string {
  const [entry, name] = line.split(' ')
  if (name === undefined) return `The package no longer has ${entry}.`
  return `The package no longer exports ${name}${entry === '.' ? '' : ` from ${entry}`}.`
}

/** The names that a file of types exports. */
function namesIn (declarations: string): string[] {
  const { statements } = ts.createSourceFile('', declarations, ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement
      return exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name.text) : []
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported ? namesOf(statement) : []
  })
}

function namesOf (statement: ts.Statement): string[] {
  const declarations = ts.isVariableStatement(statement)
    ? [...statement.declarationList.declarations]
    : [statement as ts.DeclarationStatement]
  return declarations.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []))
}
