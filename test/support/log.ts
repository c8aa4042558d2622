/** Makes a logger for a service, of this level, and the lines that it has written until now. */
export function recordingLogger (level: string) {
  const lines: string[] = []
  const stream = {
    write: (line: string) => {
      lines.push(line)
    }
  }
  return { lines, logger: { level, stream } }
}
