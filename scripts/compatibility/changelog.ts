const MARK = '**Breaking:** '

/**
 * Reads the breaking changes that a changelog (https://keepachangelog.com/en/1.1.0/) declares under [Unreleased], each a line
 * `- **Breaking:** …`.
 */
export function declaredIn (changelog: string): string[] {
  const [, section = ''] = changelog.split(/^## \[Unreleased\].*\n/m)
  const items = section
    .split(/^## /m)[0]!
    .split(/^[-*] /m)
    .map((item) =>
      item
        .split(/\n\s*\n/)[0]!
        .replace(/\s+/g, ' ')
        .trim()
    )
  return items.filter((item) => item.startsWith(MARK)).map((item) => item.slice(MARK.length))
}

/** Writes the line that declares a breaking change in a changelog. A reason may follow it. */
export function declarationOf (change: string): string {
  return `- ${MARK}${change}`
}
