import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, extname, relative, sep } from 'node:path'
import { BaseResolver, bundle as bundleFiles, createConfig, isAbsoluteUrl, Source } from '@redocly/openapi-core'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { replaceIds } from '../../src/contract/document/normalize/schema-ids.js'
import { readTree } from '../../src/contract/document/text.js'
import { jsonTextOf } from '../../src/contract/document-text.js'
import { visitSchemas } from '../../src/contract/document/walk.js'

/**
 * Makes one document, in JSON, of a file and the others below its folder that it refers to.
 * @throws {ContractError} for the first reference that leads to no file below that folder
 */
export async function bundle (file: string): Promise<string> {
  const path = await realpath(file)
  const files = new FilesBelow(dirname(path))
  const { tree, text } = await bundled(path, files)
  visitSchemas(tree, ({ value: { $ref }, pointer }) => {
    if (typeof $ref !== 'string' || $ref.startsWith('#')) return
    const [uri = ''] = $ref.split('#')
    const reason = files.reasons.get(uri)
    throw new ContractError(`${pointer}: the reference ${$ref} leads nowhere${reason ? `: ${reason}` : ''}.`)
  })
  return text
}

async function bundled (path: string, files: FilesBelow): Promise<{ tree: unknown; text: string }> {
  try {
    const { bundle } = await bundleFiles({ ref: path, config: await createConfig({}), externalRefResolver: files })
    return { tree: bundle.parsed, text: jsonTextOf(bundle.parsed) }
  } catch (cause) {
    throw new ContractError(`The references to other files cannot be followed: ${(cause as Error).message}`, { cause })
  }
}

/** Reads the files below a folder, and none elsewhere. */
class FilesBelow extends BaseResolver {
  /** Why a file was not read, by the words of a reference to it. */
  readonly reasons = new Map<string, string>()

  constructor (readonly folder: string) {
    super()
  }

  override async resolveDocument<Parsed> (base: string | null, reference: string, isRoot?: boolean) {
    try {
      return await super.resolveDocument<Parsed>(base, reference, isRoot)
    } catch (error) {
      this.reasons.set(reference, (error as Error).message)
      throw error
    }
  }

  override async loadExternalRef (path: string): Promise<Source> {
    if (isAbsoluteUrl(path)) throw new Error('nothing is read from a URL')
    const real = await realpath(path).catch(() => {
      throw new Error('there is no such file')
    })
    if (relative(this.folder, real).split(sep)[0] === '..') {
      throw new Error('the file does not lie below the folder of the document')
    }
    if (!(await stat(real)).isFile()) throw new Error('it is no file')
    return new Source(path, await readFile(real, 'utf8'))
  }

  override parseDocument (source: Source, isRoot?: boolean) {
    const isText = !isRoot && !['.json', '.yaml', '.yml'].includes(extname(source.absoluteRef))
    if (isText) return { source, parsed: source.body }
    const parsed = readTree(source.body)
    // An $id would give the references within it another meaning once they stand in one document.
    if (typeof parsed === 'object' && parsed !== null) replaceIds(parsed)
    return { source, parsed }
  }
}
