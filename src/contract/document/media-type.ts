import { MIMEType } from 'node:util'
import type { Content } from './openapi.js'

/** A media type or range in lower case, with its parameters (RFC 9110, section 8.3.1). */
export interface MediaType {
  essence: string
  parameters: Map<string, string>
}

/** Parses a media type, such as the value of a Content-Type header; undefined when the text is none. */
export function mediaTypeOf (text: string): MediaType | undefined {
  try {
    const { essence, params } = new MIMEType(text)
    return { essence, parameters: new Map(params) }
  } catch {
    return undefined
  }
}

/** Tells whether a media type is JSON, or written in it: `application/problem+json`. */
export function isJson ({ essence }: MediaType): boolean {
  return /^[^/]+\/(json|.+\+json)$/.test(essence)
}

/** Tells whether a media type is XML, or written in it: `image/svg+xml`. */
export function isXml ({ essence }: MediaType): boolean {
  return /^[^/]+\/(xml|.+\+xml)$/.test(essence)
}

/** Tells whether a media type is text that is no JSON. */
export function isText ({ essence }: MediaType): boolean {
  return essence.startsWith('text/') && !isJson({ essence, parameters: new Map() })
}

/** Tells whether a media type is that of an HTML form without files. */
export function isForm ({ essence }: MediaType): boolean {
  return essence === 'application/x-www-form-urlencoded'
}

/** Tells whether a media type is that of an HTML form with files. */
export function isMultipart ({ essence }: MediaType): boolean {
  return essence === 'multipart/form-data'
}

/** Tells whether a media type is a range: `image/*`, `*\/*`, and what some write as `application/*+json`. */
export function isRange ({ essence }: MediaType): boolean {
  return essence.includes('*')
}

/**
 * Finds the key of a content that a media type belongs to: of those that fit, the most specific (OpenAPI 3.1.1, section
 * 4.8.13.1). What a key says of charset and boundary is for people.
 */
export function keyFor (content: Content, media: MediaType): string | undefined {
  const ranked = Object.keys(content)
    .map((key) => ({ key, rank: rankOf(key, media) }))
    .filter(({ rank }) => rank > 0)
  return ranked.sort((a, b) => b.rank - a.rank)[0]?.key
}

/** How well a key fits a media type; 0 when it does not. */
function rankOf (key: string, { essence, parameters }: MediaType): number {
  const declared = mediaTypeOf(key)
  if (!declared) return 0
  const wanted = [...declared.parameters].filter(([name]) => name !== 'charset' && name !== 'boundary')
  if (wanted.some(([name, value]) => parameters.get(name) !== value)) return 0
  if (declared.essence === essence) return 3 + wanted.length
  const [before, after] = declared.essence.split('*', 2)
  if (declared.essence === '*/*') return 1
  return after !== undefined && essence.startsWith(before!) && essence.endsWith(after) ? 2 : 0
}
