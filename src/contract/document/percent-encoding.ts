/** Decodes a percent-encoded text (RFC 3986, section 2.1); one whose percent signs encode nothing stays as it is. */
export function decodePercent (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
