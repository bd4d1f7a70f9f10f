/**
 * The only script of a report: it narrows the page to what one looks for, and opens what a link leads into. Without it the
 * page is whole. It reads what stands in the page, and writes nothing but `hidden` and `open`.
 */

export const script = `
const box = document.getElementById('filter')
const [text, verdict] = box.querySelectorAll('input, select')
const items = [...document.querySelectorAll('article.finding, details.scenario, .matrix tbody tr')]
const count = box.querySelector('output')
const narrow = () => {
  const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let shown = 0
  for (const item of items) {
    const own = item.textContent.toLowerCase()
    const badges = [...item.querySelectorAll('.badge')].map((each) => each.dataset.verdict)
    item.hidden = !(words.every((word) => own.includes(word)) && (verdict.value === '' || badges.includes(verdict.value)))
    shown += item.hidden ? 0 : 1
  }
  count.textContent = words.length === 0 && verdict.value === '' ? '' : shown + ' of ' + items.length
}
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let each = target; each; each = each.parentElement) {
    if (each.hidden) each.hidden = false
    if (each.tagName === 'DETAILS') each.open = true
  }
  target?.scrollIntoView()
}
box.hidden = false
box.addEventListener('input', narrow)
addEventListener('hashchange', reveal)
if (location.hash !== '') reveal()
`
