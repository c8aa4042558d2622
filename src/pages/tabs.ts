/**
 * What the browser runs where code stands in several languages: the samples of a group become tabs, and who chooses a
 * language has it in every group, and the next time too.
 */
export const TABS_SCRIPT = `
{
  const groups = [...document.querySelectorAll('.samples')].filter((group) => group.querySelectorAll('.sample').length > 1)
  const choose = (language) => {
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const chosen = tab.textContent === language
      tab.setAttribute('aria-selected', chosen)
      tab.tabIndex = chosen ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !chosen
    }
    try { localStorage.setItem('language', language) } catch {}
  }
  const chooseAt = (tab) => {
    const before = tab.getBoundingClientRect().top
    choose(tab.textContent)
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }
  groups.forEach((group, index) => {
    const list = document.createElement('div')
    list.className = 'languages'
    list.setAttribute('role', 'tablist')
    list.setAttribute('aria-label', 'Language')
    for (const sample of group.querySelectorAll('.sample')) {
      const tab = document.createElement('button')
      tab.type = 'button'
      tab.textContent = sample.dataset.language
      tab.id = 'tab-' + index + '-' + sample.dataset.language
      sample.id = 'sample-' + index + '-' + sample.dataset.language
      tab.setAttribute('role', 'tab')
      tab.setAttribute('aria-controls', sample.id)
      sample.setAttribute('role', 'tabpanel')
      sample.setAttribute('aria-labelledby', tab.id)
      sample.querySelector('.language').hidden = true
      tab.addEventListener('click', () => chooseAt(tab))
      list.append(tab)
    }
    list.addEventListener('keydown', (event) => {
      if (!(event.key in step)) return
      const tabs = [...list.children]
      const next = tabs.at((tabs.indexOf(event.target) + step[event.key]) % tabs.length)
      chooseAt(next)
      next.focus()
    })
    group.prepend(list)
  })
  let kept
  try { kept = localStorage.getItem('language') } catch {}
  const languages = groups.flatMap((group) => [...group.querySelectorAll('[role=tab]')].map((tab) => tab.textContent))
  choose(languages.includes(kept) ? kept : languages[0])
}
`
