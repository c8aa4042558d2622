/** Writes columns of text under their headings, with two spaces between them. */
export function tableOf (headings: string[], rows: (string | number)[][]): string {
  const lines = [headings, ...rows.map((row) => row.map(String))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)))
  return padded.map((cells) => cells.join('  ').trimEnd()).join('\n')
}
