// A client application with server-rendered pages: many users, a session for each conversation, both dialects, /run.
import crypto from 'node:crypto'
import http from 'node:http'

const E = process.env
const VARIANT = E.VARIANT ?? ''
const AGENT = E.AGENT_URL.replace(/\/$/, ''),
  APP = E.AGENT_APP,
  ME = `http://127.0.0.1:${E.PORT}`
const rooms = new Map() // name → {user, session, lines}
const pending = new Map() // nonce of the callback path → request
const escape = (t) =>
  String(t).replace(
    /[&<>"]/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c],
  )
const call = (path, body) =>
  fetch(AGENT + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function room(name, who) {
  if (!rooms.has(name)) {
    const r = { name, user: `u-${who}`, lines: [] }
    r.ready = (async () => {
      r.session = (
        await (await call(`/apps/${APP}/users/${encodeURIComponent(r.user)}/sessions`, {})).json()
      ).id
    })()
    rooms.set(name, r)
  }
  const r = rooms.get(name)
  await r.ready
  return r
}
async function run(r, parts) {
  let res
  try {
    res = await call('/run', {
      appName: APP,
      userId: r.user,
      sessionId: r.session,
      newMessage: { role: 'user', parts },
    })
    if (!res.ok) throw new Error(`HTTP ${res.status}`)
    for (const e of await res.json()) read(r, e)
  } catch (e) {
    r.lines.push(`<b>Sorry, that did not work</b> (${escape(e.message)})`)
  }
}
function read(r, e) {
  for (const p of e.content?.parts ?? []) {
    const c = p.functionCall
    const f = p.functionResponse
    if (c?.name === 'adk_request_credential')
      offer(
        r,
        c,
        c.args?.authConfig ?? c.args?.auth_config,
        c.args?.functionCallId ?? c.args?.function_call_id,
      )
    else if (f?.name === 'adk_request_credential') void begin(r, f)
    else if (p.text && e.author !== 'user') r.lines.push(escape(p.text))
  }
}
const safe = (uri) => {
  try {
    const u = new URL(uri)
    return (
      u.protocol === 'https:' ||
      (u.protocol === 'http:' &&
        (/^127(\.\d+){3}$/.test(u.hostname) ||
          u.hostname === 'localhost' ||
          u.hostname === '[::1]'))
    )
  } catch {
    return false
  }
}
function offer(r, c, config, paused) {
  const oauth =
    config?.exchangedAuthCredential?.oauth2 ?? config?.exchanged_auth_credential?.oauth2 ?? {}
  let uri = oauth.authUri ?? oauth.auth_uri
  if (VARIANT === 'only-no-scripts' ? /^javascript:/.test(uri) : !safe(uri))
    return r.lines.push('The agent gave an address that is not safe.')
  const nonce = crypto.randomBytes(9).toString('base64url')
  const u = new URL(uri)
  const preset = u.searchParams.get('redirect_uri')
  const redirect = preset || `${ME}/return/${nonce}`
  if (!preset)
    uri =
      preset === ''
        ? uri.replace(/([?&]redirect_uri=)(?=&|$|#)/, `$1${encodeURIComponent(redirect)}`)
        : `${uri}${u.search ? '&' : '?'}redirect_uri=${encodeURIComponent(redirect)}`
  if (VARIANT === 'appends-parameters') uri += '&utm_source=app'
  pending.set(nonce, { r, id: c.id, paused, config, redirect, state: u.searchParams.get('state') })
  r.lines.push(`The agent needs you to <a rel="noreferrer" href="${escape(uri)}">sign in</a>.`)
}
async function begin(r, f) {
  const res = await fetch(E.CONSENT_BEGIN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: r.user, authConfig: f.response }),
  })
  if (!res.ok) return r.lines.push('Sorry, sign-in is not possible.')
  const { authUri, flowId } = await res.json()
  if (!safe(authUri)) return r.lines.push('The agent gave an address that is not safe.')
  const nonce = crypto.randomBytes(9).toString('base64url')
  let uri = authUri
  const preset = new URL(uri).searchParams.get('redirect_uri')
  const redirect = preset || `${ME}/return/${nonce}`
  if (!preset)
    uri = `${uri.replace(/[?&]redirect_uri=(?=&|$)/, (m) => (m[0] === '?' ? '?x=' : ''))}${uri.includes('?') ? '&' : '?'}redirect_uri=${encodeURIComponent(redirect)}`
  pending.set(nonce, {
    r,
    id: f.id,
    config: f.response,
    redirect,
    flowId,
    state: new URL(uri).searchParams.get('state'),
  })
  r.lines.push(`The agent needs you to <a href="${escape(uri)}">sign in</a>.`)
}
async function finish(p, url) {
  const oauthOf = (o) => ({ ...o, ...extra })
  let extra, response
  const q = new URL(url).searchParams
  if (p.flowId) {
    let credential
    if (!q.has('error')) {
      const res = await fetch(E.CONSENT_COMPLETE, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          userId: p.r.user,
          flowId: p.flowId,
          state: q.get('state'),
          code: q.get('code'),
          iss: q.get('iss'),
        }),
      })
      if (res.ok) credential = (await res.json()).credential
      else p.r.lines.push('Sorry, the sign-in failed.')
    }
    response = { ...p.config, ...(credential && { exchanged_auth_credential: credential }) }
  } else {
    extra = { authResponseUri: url, redirectUri: p.redirect }
    response = {
      ...p.config,
      exchangedAuthCredential: {
        ...p.config.exchangedAuthCredential,
        oauth2: oauthOf(p.config.exchangedAuthCredential?.oauth2),
      },
    }
  }
  await run(p.r, [{ functionResponse: { id: p.id, name: 'adk_request_credential', response } }])
}
http
  .createServer(async (req, res) => {
    const url = new URL(req.url, ME)
    let raw = ''
    for await (const c of req) raw += c
    const html = (status, text) =>
      res
        .writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'referrer-policy': 'no-referrer',
        })
        .end(`<!doctype html><meta charset=utf-8>${text}`)
    if (req.method === 'POST' && url.pathname === '/say') {
      const form = new Map(Object.entries(JSON.parse(raw)))
      const r = await room(form.get('room') ?? 'main', form.get('who') ?? 'me')
      void run(r, [{ text: form.get('text') ?? '' }])
      return res.writeHead(303, { location: `/room/${encodeURIComponent(r.name)}` }).end()
    }
    if (url.pathname.startsWith('/room/')) {
      const r = rooms.get(decodeURIComponent(url.pathname.slice(6)))
      return html(
        200,
        `<h1>Chat</h1><ul>${(r?.lines ?? []).map((l) => `<li>${l}</li>`).join('\n')}</ul>`,
      )
    }
    const m = /^\/return\/([\w-]+)$/.exec(url.pathname)
    const nonce =
      m?.[1] ??
      [...pending].find(
        ([, p]) => p.redirect === ME + url.pathname && p.state === url.searchParams.get('state'),
      )?.[0]
    const p = pending.get(nonce)
    if (p) {
      const state = url.searchParams.get('state')
      if (state !== p.state) return html(400, 'That sign-in does not belong here.')
      if (VARIANT !== 'answers-again') pending.delete(nonce)
      html(200, '<p>Thank you. Go back to the chat.')
      return finish(p, p.redirect + url.search)
    }
    html(404, 'There is nothing here.')
  })
  .listen(Number(E.PORT), '127.0.0.1')
