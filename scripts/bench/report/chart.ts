import type { Results } from './results.js'
import { circumstancesOf } from './table.js'
import { TARGETS, type TargetName } from '../servers/targets.js'
import { WORKLOADS, type Workload } from '../load/workloads.js'

const WIDTH = 820
const LEFT = 90
/** Where the longest bar ends; the figures stand behind it. */
const RIGHT = 640
const BAR = 16
const STEP = 21
const LINE = 16
/** Characters in a line of the text under the chart. */
const COLUMNS = 120

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
  .bar { fill: #b1bac4 } .ours { fill: #0969da } .limit { stroke: #59636e; stroke-dasharray: 3 3 }
  .paper { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1; stroke: #0d1117 }
    .bar { fill: #656c76 } .ours { fill: #4493f8 } .limit { stroke: #9198a1 }
    .paper { fill: #0d1117 }
  }`

/** A chart of the ratios under each workload as SVG, readable on light and on dark pages. */
export function chartOf (results: Results): string {
  const { workloads } = results
  const largest = Object.values(workloads).flatMap((all) => Object.values(all).map(({ ratio }) => ratio?.median ?? 0))
  const widthOf = (ratio: number) => (ratio / Math.max(1, ...largest)) * (RIGHT - LEFT)
  const limit = LEFT + widthOf(1)
  const parts = [
    text(10, 24, 'title', 'Processor time of a request: bareH divided by each server. Longer is quicker.')
  ]
  let y = 34
  for (const [workload, summaries] of Object.entries(workloads)) {
    parts.push(text(10, (y += 24), 'title', `${workload}  ${WORKLOADS[workload as Workload]}`))
    y += 8
    const bottom = y + STEP * Object.keys(summaries).length
    parts.push(`<line x1="${limit}" x2="${limit}" y1="${y - 3}" y2="${bottom}" class="limit"/>`)
    for (const [name, { ratio, cpu }] of Object.entries(summaries)) {
      parts.push(text(LEFT - 8, y + BAR - 3, 'end', name))
      if (ratio && cpu) {
        const width = Math.max(1, widthOf(ratio.median))
        const figures = `${ratio.median.toFixed(2)}  ${cpu.median.toFixed(0)} µs`
        parts.push(
          `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2" class="bar ${name}"/>`,
          text(LEFT + width + 8, y + BAR - 3, 'quiet', figures)
        )
      } else parts.push(text(LEFT, y + BAR - 3, 'quiet', 'not measured'))
      y += STEP
    }
  }
  y += 6
  for (const line of captionOf(results)) parts.push(text(10, (y += LINE), 'quiet', line))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 12}" width="${WIDTH}" role="img">
<title>Processor time of a request, beside other servers</title>
<style>${STYLE}
  .end { text-anchor: end }
</style>
<rect width="100%" height="100%" class="paper"/>
${parts.join('\n')}
</svg>
`
}

function captionOf (results: Results): string[] {
  const names = Object.keys(Object.values(results.workloads)[0] ?? {}) as TargetName[]
  const { rounds, seconds, connections, pets } = results.settings
  const settings = `Medians of ${rounds} rounds of ${seconds} s, ${connections} connections, ${pets} pets.`
  return [...names.map((name) => `${name}: ${TARGETS[name]}`), settings, ...wrapped(circumstancesOf(results))]
}

function wrapped (sentence: string): string[] {
  const lines = ['']
  for (const word of sentence.split(' ')) {
    if (lines.at(-1)!.length + word.length >= COLUMNS) lines.push(word)
    else lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines
}

function text (x: number, y: number, style: string, content: string): string {
  const escaped = content.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<text x="${x.toFixed(1)}" y="${y}" class="${style}" xml:space="preserve">${escaped}</text>`
}
