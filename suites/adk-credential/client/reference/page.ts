/** The page of the user, and the one that a browser is given when it comes back. */

const styles = 'body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}'

/** Scripts of the page itself, and nothing of anybody else's; no address is told to other hosts. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; form-action 'none'",
} as const

export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>Helper</title><style>${styles}</style>
<h1>Helper</h1>
<ol id="items" aria-live="polite"></ol>
<form id="form"><label>Message <input id="text" autocomplete="off"></label> <button>Send</button></form>
<script src="/page.js"></script>
</html>
`

/** Text is set as text, and a link is made of a URL that the server has checked. */
export const script = `const list = document.getElementById('items')
const text = document.getElementById('text')
let shown = 0
const add = ({ kind, text, url }) => {
  const item = document.createElement('li')
  item.className = kind
  item.textContent = text + ' '
  if (url && /^https?:/.test(url)) {
    const button = document.createElement('button')
    button.textContent = 'Sign in'
    button.onclick = () => window.open(url, '_blank', 'popup,noreferrer')
    item.append(button)
  }
  list.append(item)
}
const look = async () => {
  const { items } = await (await fetch('/messages')).json()
  for (const item of items.slice(shown)) add(item)
  shown = items.length
}
document.getElementById('form').onsubmit = async (event) => {
  event.preventDefault()
  const said = text.value
  text.value = ''
  await fetch('/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: said }),
  })
  await look()
}
setInterval(look, 500)
`

/** Nothing of the address is repeated. */
export function callbackPage(found: boolean, _url: string): string {
  const text = found
    ? 'Thank you. You can close this window.'
    : 'Nothing waits for this page. You can close this window.'
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signed in</title><style>${styles}</style><p>${text}</p></html>
`
}
