import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { toolPath } from '../../scripts/tools/folder.js'

/** Levels A and AA of WCAG 2.2, and what axe-core holds for good practice: headings in order, landmarks, one h1. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Runs in the page: loads nothing, and a content security policy does not apply to it. */
async function withAxe<Result> (page: Page, code: string): Promise<Result> {
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(readFileSync(toolPath('axe-core/axe.min.js'), 'utf8'))
  }
  return await page.evaluate(code)
}

/**
 * Finds what axe-core says is against WCAG 2.2 AA on a page as it is shown now, such as text of too little contrast: a
 * sentence for each place.
 */
export async function accessibilityFaults (page: Page): Promise<string[]> {
  return await withAxe(page, `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, any: [check] }) =>
      [id, target.join(' '), check?.message].filter(Boolean).join(': ')
    ))
  )`)
}

/**
 * The code that both measurements below use: the contrast of two colours, and the background of an element. It comes
 * from the styles of its ancestors, since axe-core takes 200 ms on a long page to find one.
 */
const CONTRAST = `
  const { Color, flattenColors } = axe.commons.color
  const colorOf = (text) => { const color = new Color(); color.parseString(text); return color }
  const behind = (element) => {
    if (element === null) return new Color(255, 255, 255, 1)
    const color = colorOf(getComputedStyle(element).backgroundColor)
    return color.alpha === 1 ? color : flattenColors(color, behind(element.parentElement))
  }
  const contrast = (one, other) => {
    const [light, dark] = [one, other].map((color) => color.getRelativeLuminance()).sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }
  const nameOf = (element) => element.tagName.toLowerCase() + ' ' +
    (element.getAttribute('aria-label') ?? element.textContent.trim()).slice(0, 40)
`

/**
 * Finds the fields of a page whose border has less contrast than 3:1 to what is around it (WCAG 2.2, 1.4.11). A field
 * that cannot be chosen, and is shown as text, has no border and needs none.
 */
export async function borderFaults (page: Page): Promise<string[]> {
  return await withAxe(page, `(() => {
    ${CONTRAST}
    return [...document.querySelectorAll('input, select, textarea')]
      .map((field) => [field, getComputedStyle(field)])
      .filter(([field, style]) => field.checkVisibility() && !field.disabled && style.pointerEvents !== 'none')
      .map(([field, { borderTopColor: border }]) => [field, contrast(colorOf(border), behind(field.parentElement))])
      .filter(([, ratio]) => ratio < 3)
      .map(([field, ratio]) => nameOf(field) + field.id + ': its border has ' + ratio.toFixed(2) + ':1')
  })()`)
}

/** What has the focus in turn, and what is wrong with it. */
interface Walk {
  walked: string[]
  faults: string[]
}

/**
 * Goes through a page by the Tab key alone, and finds what does not show by an outline with a contrast of 3:1 that it
 * has the focus (WCAG 2.2, 2.4.7 and 1.4.11), is out of sight, or comes before something that stands above it.
 */
export async function walkByKeyboard (page: Page, { most = 200 } = {}): Promise<Walk> {
  const walked: string[] = []
  const faults: string[] = []
  while (walked.length < most) {
    await page.keyboard.press('Tab')
    const step = await withAxe<{ name: string; fault?: string } | null>(page, `(() => {
      ${CONTRAST}
      const element = document.activeElement
      const last = window.lastFocused
      window.lastFocused = element
      window.firstFocused ??= element
      // After the last element comes the window of the browser, or the first one again.
      if (element === document.body || (last !== undefined && element === window.firstFocused)) return null
      const name = nameOf(element)
      if (last?.isConnected && element.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING) {
        return { name, fault: name + ' comes before ' + nameOf(last) }
      }
      const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(element)
      if (outlineStyle === 'none' || parseFloat(outlineWidth) < 1) return { name, fault: name + ' has no outline' }
      const { top, bottom, width } = element.getBoundingClientRect()
      if (bottom < 0 || top > innerHeight || width === 0) return { name, fault: name + ' is out of sight' }
      let around = element
      // An outline outside an element may be outside its parent too.
      if (parseFloat(outlineOffset) >= 0) {
        do around = around.parentElement
        while (around !== document.body && around.getBoundingClientRect().width <= width)
      }
      const ratio = contrast(colorOf(outlineColor), behind(around))
      return { name, ...(ratio < 3 && { fault: name + ': its outline has ' + ratio.toFixed(2) + ':1' }) }
    })()`)
    if (step === null) break
    walked.push(step.name)
    if (step.fault !== undefined) faults.push(step.fault)
  }
  return { walked, faults }
}
