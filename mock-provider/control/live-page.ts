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
</form>
<p id="status" role="status">connecting …</p>
<div class="scroll" tabindex="0" role="region" aria-label="Events">
<table>
<thead><tr><th scope="col">#</th><th scope="col">Time</th><th scope="col">Exchange</th><th scope="col">Endpoint</th><th scope="col">Event</th><th scope="col">Detail</th></tr></thead>
<tbody id="events"></tbody>
</table>
</div>
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
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid light-dark(#d5d5dc, #3a3a42) }
td:last-child { overflow-wrap: anywhere }
td:first-child, td:nth-child(3) { text-align: end; font-variant-numeric: tabular-nums }
details > pre { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 60rem; margin: .3rem 0 }
.refused td:nth-child(5) { font-weight: 700; color: light-dark(#b3261e, #f2b8b5) }
.fault td:nth-child(5) { font-weight: 700; color: light-dark(#7a4d00, #ffcf70) }
`

/** Reads the stream with \`fetch\`, because EventSource cannot send a token. Text is only ever set as text. */
const script = `const at = (id) => document.getElementById(id)
const most = 2000
let running = new AbortController()

function summary(event) {
  if (event.type === 'request') return event.method + ' ' + event.target
  if (event.type === 'response') return event.status + (event.faults.length ? ' · faults: ' + event.faults.join(', ') : '')
  if (event.type === 'connection') return 'closed by ' + event.closedBy
  const told = ['operation', 'action', 'grantType', 'route', 'outcome', 'error', 'clientId', 'subject']
  return told.flatMap((name) => (event[name] === undefined ? [] : [name + ': ' + event[name]])).join(' · ')
}

function row(event) {
  const line = document.createElement('tr')
  const bad = event.status >= 400 || event.outcome === 'refused' || event.valid === false
  line.className = event.faults?.length && event.type !== 'decision' ? 'fault' : bad ? 'refused' : ''
  const time = new Date(event.at).toISOString().slice(11, 23)
  for (const text of [event.seq, time, event.exchange, event.endpoint, event.type]) {
    line.insertCell().textContent = text
  }
  const details = document.createElement('details')
  const title = document.createElement('summary')
  title.textContent = summary(event) || event.type
  const all = document.createElement('pre')
  all.textContent = JSON.stringify(event, undefined, 2)
  details.append(title, all)
  line.insertCell().append(details)
  return line
}

function show(event) {
  const line = row(event)
  line.hidden = !line.textContent.includes(at('filter').value)
  at('events').append(line)
  while (at('events').rows.length > most) at('events').deleteRow(0)
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
    for (const part of parts) {
      const data = part.split('\\n').find((line) => line.startsWith('data: '))
      if (data) show(JSON.parse(data.slice(6)))
    }
  }
}

function connect() {
  running.abort()
  running = new AbortController()
  const { signal } = running
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
  for (const line of at('events').rows) line.hidden = !line.textContent.includes(at('filter').value)
})
connect()
`

export const livePage = (): Reply => text(html, 'text/html; charset=utf-8', 200, headers)

export const liveStyle = (): Reply => text(style, 'text/css; charset=utf-8', 200, headers)

export const liveScript = (): Reply => text(script, 'text/javascript; charset=utf-8', 200, headers)
