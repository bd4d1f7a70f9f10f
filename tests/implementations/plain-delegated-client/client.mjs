/**
 * An MCP client at a terminal that authorizes servers for its user (SEP-1028). Node's own modules only, written from the
 * documents. One server over Streamable HTTP.
 *
 * Unlike others where they leave a choice: it offers 2025-06-18; the prompt is one line in French; it listens before it
 * asks; the URL is edited as text, so that everything but redirect_uri stays as it was; strays are answered 400.
 *
 *     TOOL {"argument": "value"}     calls a tool
 *     oui, non                       answer the question that is open
 *
 * usage: client.mjs URL [VARIANT], where VARIANT is "returns-anything" or "listens-everywhere" for one that is wrong
 */

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [endpoint, variant = ''] = process.argv.slice(2)
let session
let ids = 0
let question
const tools = new Map()

async function post(message) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(session ? { 'mcp-session-id': session } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  session ??= response.headers.get('mcp-session-id') ?? undefined
  return response
}

/** Every message of an answer, whichever form it has. */
async function* messagesOf(response) {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text) yield JSON.parse(text)
    return
  }
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true })
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop()
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      const data = lines.map((line) => line.slice(5).trim()).join('\n')
      if (data) yield JSON.parse(data)
    }
  }
}

async function request(method, params = {}) {
  const id = ++ids
  for await (const message of messagesOf(await post({ id, method, params }))) {
    if (message.method === 'auth/request') void answer(message)
    else if (message.method && message.id !== undefined)
      void post({ id: message.id, error: { code: -32601, message: 'inconnu' } })
    else if (message.id === id) return message
  }
  return { error: { message: 'pas de réponse' } }
}

async function answer({ id, params }) {
  try {
    await post({ id, result: await authorize(params) })
  } catch (error) {
    await post({ id, error: { code: -32000, message: error.message } })
  }
}

async function authorize({ url, message, redirect_uri_options: options = [] }) {
  const page = URL.canParse(url) ? new URL(url) : undefined
  if (!page || !/^https?:$/.test(page.protocol)) throw new Error('adresse refusée')
  const own = page.searchParams.get('redirect_uri')
  const usable = /^http:\/\/127\.0\.0\.1:(\{port\}|\d+)(\/[\w./-]*)?$/
  const option = [...options, own ?? ''].find((each) => usable.test(each))
  if (!option) throw new Error('aucune redirection possible')
  const [, port, path = '/'] = usable.exec(option)

  const server = createServer()
  const host = variant === 'listens-everywhere' ? '0.0.0.0' : '127.0.0.1'
  server.listen(port === '{port}' ? 0 : Number(port), host)
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const redirect = option.replace('{port}', server.address().port)
  try {
    const asked = `${message} (${page.hostname}) Continuer ? [oui/non] `
    if (!(await ask(asked))) return {}
    const state = page.searchParams.get('state')
    const callback = new Promise((resolve) => {
      server.on('request', (incoming, outgoing) => {
        const came = new URL(incoming.url, redirect)
        const fits =
          came.pathname === path &&
          came.searchParams.get('state') === state &&
          (came.searchParams.has('code') || came.searchParams.has('error'))
        const done = fits || variant === 'returns-anything'
        outgoing.writeHead(done ? 200 : 400).end(done ? 'Merci.' : 'Non.', () => {
          if (done) resolve(`http://127.0.0.1:${server.address().port}${incoming.url}`)
        })
      })
    })
    const target = url.replace(/([?&]redirect_uri=)[^&#]*/, `$1${encodeURIComponent(redirect)}`)
    spawn(process.env.BROWSER ?? 'xdg-open', [target], { stdio: 'ignore' }).on('error', () => {})
    return { url: await callback }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function ask(text) {
  process.stdout.write(`\n${text}`)
  return new Promise((resolve) => (question = resolve))
}

const clientInfo = { name: 'plain', version: '1' }
const capabilities = { delegated_authorization: {} }
const ready = (async () => {
  const protocolVersion = '2025-06-18'
  await request('initialize', { protocolVersion, capabilities, clientInfo })
  await post({ method: 'notifications/initialized' })
  const { result } = await request('tools/list')
  for (const tool of result.tools) tools.set(tool.name, tool)
})()

const lines = createInterface({ input: process.stdin })
lines.on('line', async (line) => {
  const word = line.trim()
  if (question && ['oui', 'non'].includes(word)) {
    const answered = question
    question = undefined
    return answered(word === 'oui')
  }
  const [, name, args = '{}'] = /^(\S+) ?(.*)$/.exec(word) ?? []
  await ready
  const { error } = await request('tools/call', { name, arguments: JSON.parse(args || '{}') })
  console.log(error ? 'Échec.' : 'Fait.')
})
lines.on('close', () => process.exit(0))
