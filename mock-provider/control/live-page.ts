/** The live page of the control API: the log as it grows. No framework, nothing from elsewhere. */
import { text, type Reply } from '../http/reply.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log of the mock provider</title>
<link rel="stylesheet" href="live.css">
<script src="live.js" defer></script>
</head>
<body>
<main>
<h1>Log of the mock provider</h1>
<form id="settings">
<label>Control token <input id="token" type="password" autocomplete="off"></label>
<label>Tenant <input id="tenant" placeholder="none"></label>
<label>Show only <input id="filter" type="search" placeholder="token, 401, web …"></label>
<button>Connect</button>
<button id="pause" type="button" aria-pressed="false">Pause</button>
</form>
<p id="status" role="status">connecting …</p>
<ol id="events" reversed aria-label="Events, the newest first"></ol>
</main>
</body>
</html>
`

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; color: light-dark(#1b1b1f, #ececf1); background: light-dark(#fff, #17171b) }
main { max-width: 90rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.4rem }
form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end }
label { display: grid; gap: .25rem }
input, button { font: inherit; padding: .4rem .6rem; color: inherit; background: transparent; border: 1px solid light-dark(#6b6b76, #9a9aa6); border-radius: .3rem }
button { cursor: pointer }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #8ab4f8); outline-offset: 2px }
[aria-pressed=true] { font-weight: 700; border-width: 2px }
ol { list-style: none; margin: 0; padding: 0 }
li { content-visibility: auto; contain-intrinsic-block-size: auto 2.2rem; border-bottom: 1px solid light-dark(#d5d5dc, #3a3a42) }
summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .35rem .25rem }
.number, time { color: light-dark(#55555e, #b4b4be); font-variant-numeric: tabular-nums }
.number { min-width: 3ch; text-align: end }
.type { font-weight: 600 }
.told { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .5rem; padding: .5rem; background: light-dark(#f4f4f7, #1f1f25); border-radius: .3rem; font-size: .875rem }
.refused .type { color: light-dark(#b3261e, #f2b8b5) }
.fault .type { color: light-dark(#7a4d00, #ffcf70) }
`

/** Reads the stream with \`fetch\`, because EventSource cannot send a token. Text is only ever set as text. */
const script = `const at = (id) => document.getElementById(id)
const most = 500
let running = new AbortController()

function summary(event) {
  if (event.type === 'request') return event.method + ' ' + event.target
  if (event.type === 'response') return event.status + (event.faults.length ? ' · faults: ' + event.faults.join(', ') : '')
  if (event.type === 'connection') return 'closed by ' + event.closedBy
  const told = ['operation', 'action', 'grantType', 'route', 'outcome', 'error', 'clientId', 'subject']
  return told.flatMap((name) => (event[name] === undefined ? [] : [name + ': ' + event[name]])).join(' · ')
}

function part(tag, name, text) {
  const element = document.createElement(tag)
  element.className = name
  element.textContent = text
  return element
}

function line(event) {
  const item = document.createElement('li')
  const bad = event.status >= 400 || event.outcome === 'refused' || event.valid === false
  item.className = event.faults?.length && event.type !== 'decision' ? 'fault' : bad ? 'refused' : ''
  const details = document.createElement('details')
  const title = document.createElement('summary')
  title.append(
    part('span', 'number', event.exchange),
    part('time', '', new Date(event.at).toISOString().slice(11, 23)),
    part('span', '', event.endpoint),
    part('span', 'type', event.type),
    part('span', 'told', summary(event)),
  )
  details.append(title)
  details.addEventListener('toggle', () => details.append(part('pre', '', JSON.stringify(event, undefined, 2))), { once: true })
  item.append(details)
  item.searched = title.textContent + JSON.stringify(event)
  return item
}

/** What is not shown yet: it comes soon, together with what happens meanwhile, or when the page goes on. */
let waiting = []
let paused = false
let due = false
const every = 200

function filter(item) {
  item.hidden = !item.searched.includes(at('filter').value)
}

function flush() {
  due = false
  if (paused) {
    at('pause').textContent = 'Continue (' + waiting.length + ' waiting)'
    return
  }
  const fresh = document.createDocumentFragment()
  for (const event of waiting) {
    const item = line(event)
    filter(item)
    fresh.prepend(item)
  }
  waiting = []
  at('events').prepend(fresh)
  for (let over = at('events').childElementCount - most; over > 0; over -= 1) at('events').lastChild.remove()
}

function show(event) {
  waiting.push(event)
  if (waiting.length > most) waiting.shift()
  if (due) return
  due = true
  // A frame for every few events would lay out thousands of lines again and again.
  setTimeout(() => requestAnimationFrame(flush), every)
}

function pause(wanted) {
  paused = wanted
  at('pause').setAttribute('aria-pressed', String(paused))
  at('pause').textContent = paused ? 'Continue' : 'Pause'
  if (!paused) flush()
}

async function follow(signal) {
  const tenant = at('tenant').value
  const token = at('token').value
  const path = (tenant ? 'tenants/' + encodeURIComponent(tenant) + '/' : '') + 'log/stream'
  const headers = token ? { authorization: 'Bearer ' + token } : {}
  const response = await fetch(path, { headers, signal })
  if (!response.ok) throw new Error(response.status === 401 ? 'the control token is required' : 'refused: ' + response.status)
  at('status').textContent = 'connected'
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error('the stream has ended')
    const parts = (rest + value).split('\\n\\n')
    rest = parts.pop()
    for (const each of parts) {
      const data = each.split('\\n').find((line) => line.startsWith('data: '))
      if (data) show(JSON.parse(data.slice(6)))
    }
  }
}

function connect() {
  running.abort()
  running = new AbortController()
  const { signal } = running
  waiting = []
  at('events').replaceChildren()
  at('status').textContent = 'connecting …'
  follow(signal).catch((error) => {
    if (!signal.aborted) at('status').textContent = error.message
  })
}

at('settings').addEventListener('submit', (event) => {
  event.preventDefault()
  connect()
})
at('filter').addEventListener('input', () => {
  for (const item of at('events').children) filter(item)
})
at('pause').addEventListener('click', () => pause(!paused))
connect()
`

export const livePage = (): Reply => text(html, 'text/html; charset=utf-8', 200, headers)

export const liveStyle = (): Reply => text(style, 'text/css; charset=utf-8', 200, headers)

export const liveScript = (): Reply => text(script, 'text/javascript; charset=utf-8', 200, headers)
