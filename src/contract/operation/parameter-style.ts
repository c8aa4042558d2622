import type { ParameterObject } from '../document/openapi.js'

/** `style` and `explode` of a parameter. */
export interface ParameterStyle {
  style: string
  explode: boolean
}

/** Gives the style of a parameter, with the defaults of where it stands (OpenAPI 3.1.1, section 4.8.12.2). */
export function styleOf ({
  in: where,
  style = where === 'query' || where === 'cookie' ? 'form' : 'simple',
  explode = style === 'form'
}: Pick<ParameterObject, 'in' | 'style' | 'explode'>): ParameterStyle {
  return { style, explode }
}

/** The styles that a parameter may have, by where it stands (section 4.8.12.3). */
export const STYLES: Record<ParameterObject['in'], readonly string[]> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form']
}

/** How a value is written: as one text, or as several between delimiters. */
export type Shape = 'scalar' | 'array' | 'object'

/**
 * Decides how a value of some types is written: as an array when it may be one, else as an object, else as one text.
 */
export function shapeOf (types: string[]): Shape {
  if (types.includes('array')) return 'array'
  return types.includes('object') ? 'object' : 'scalar'
}

/** Tells whether a value of some types may be one text. */
export function allowsScalar (types: string[]): boolean {
  return types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type))
}
