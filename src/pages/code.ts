import { html } from 'ghtml'

/** Makes a block of code that a press copies; `code` is HTML, its text already escaped. */
export function codeBlock (code: string): string {
  return html`<div class="call"><pre tabindex="0">!${code}</pre>
<button type="button" hidden>Copy</button></div>`
}

/**
 * What the browser runs on pages with code: it puts the address that it knows in the place of the one that the server
 * took for its own, and copies a block at a press, over plain HTTP too.
 */
export const CODE_SCRIPT = `
for (const place of document.querySelectorAll('[data-path]')) place.textContent = new URL(place.dataset.path, location)
for (const button of document.querySelectorAll('.call button')) {
  button.hidden = false
  button.addEventListener('click', () => {
    getSelection().selectAllChildren(button.parentElement.querySelector('pre'))
    if (!document.execCommand('copy')) return
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
}
`
