import { ContractError } from '../document/contract-error.js'
import { isJson, isText, mediaTypeOf } from '../document/media-type.js'
import type { ParameterObject, PathItem } from '../document/openapi.js'
import { pointerTo, type Located } from '../document/pointer.js'
import type { Schemas } from '../document/schemas.js'
import { STYLES, styleOf } from './parameter-style.js'
import { parameterNamesIn } from './path-template.js'

/**
 * Headers that OpenAPI describes elsewhere, so that a parameter of the name is to be ignored (OpenAPI 3.1.1, section
 * 4.8.12.2).
 */
const DESCRIBED_ELSEWHERE = new Set(['accept', 'content-type', 'authorization'])

/**
 * Gives the parameters of an operation, then those of its path item that it does not replace: these have the same name
 * and place.
 * @throws {ContractError} for one that could only be half-served
 */
export function mergeParameters (
  schemas: Schemas,
  item: Located<PathItem>,
  { value: own, pointer }: Located<ParameterObject[]>
): ParameterObject[] {
  const read = (parameters: ParameterObject[], parent: string) =>
    parameters.map((parameter, index) => {
      const located = schemas.resolve({ value: parameter, pointer: pointerTo(parent, 'parameters', index) })
      checkParameter(schemas, located)
      return located.value
    })
  const ownParameters = read(own, pointer)
  const inherited = read(item.value.parameters ?? [], item.pointer).filter(
    (parameter) => !ownParameters.some((replacement) => identityOf(replacement) === identityOf(parameter))
  )
  const parameters = [...ownParameters, ...inherited].filter(
    ({ in: where, name }) => where !== 'header' || !DESCRIBED_ELSEWHERE.has(name.toLowerCase())
  )
  const twin = parameters.find(
    (parameter, index) => parameters.findIndex((other) => identityOf(other) === identityOf(parameter)) !== index
  )
  if (twin) throw new ContractError(`${pointer}: the parameter '${twin.name}' is declared twice.`)
  return parameters
}

/** What tells a parameter from the others of an operation; header names know no case. */
function identityOf ({ in: where, name }: ParameterObject): string {
  return `${where} ${where === 'header' ? name.toLowerCase() : name}`
}

function checkParameter (schemas: Schemas, { value: parameter, pointer }: Located<ParameterObject>): void {
  const { in: where, name } = parameter
  const unsupported = (what: string) =>
    new ContractError(`${pointer}: the parameter '${name}' ${what}, which is not supported.`)
  if (where as string === 'querystring') throw unsupported('is in the querystring')
  if (parameter.content) {
    const [type = ''] = Object.keys(parameter.content)
    const media = mediaTypeOf(type)
    if (!media || !(isJson(media) || isText(media))) throw unsupported(`has content of ${type}`)
    return
  }
  if (STYLES[where] === undefined) {
    throw new ContractError(`${pointer}: this is referred to as a parameter, but is none.`)
  }
  const { style } = styleOf(parameter)
  if (!STYLES[where].includes(style)) throw unsupported(`is in the ${where} and has the style ${style}`)
  const types = schemas.types(parameter.schema ?? {})
  if (style !== 'deepObject' && types.includes('object') && types.includes('array')) {
    throw unsupported(`may be an object or an array, which look the same in the style ${style}`)
  }
}

/**
 * Checks that the parameters of a path template and those that are declared for a path are the same.
 * @throws {ContractError} for the first that is only one of both
 */
export function checkPathParameters (template: string, { value, pointer }: Located<ParameterObject[]>): void {
  const inPath = parameterNamesIn(template)
  const declared = value.filter(({ in: where }) => where === 'path').map(({ name }) => name)
  for (const name of inPath) {
    if (!declared.includes(name)) {
      throw new ContractError(`${pointer}: the path has {${name}}, but no parameter of that name is declared.`)
    }
  }
  for (const name of declared) {
    if (!inPath.includes(name)) {
      throw new ContractError(`${pointer}: the path parameter '${name}' does not stand in the path.`)
    }
  }
}
