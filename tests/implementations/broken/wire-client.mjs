// An MCP client that goes wrong on the wire: node wire-client.mjs <mode> <url>. A line "call <tool> <arguments>" calls a tool.
import http from 'node:http'
import https from 'node:https'
import { createInterface } from 'node:readline'

const [mode, url] = process.argv.slice(2)
const { request } = url.startsWith('https:') ? https : http
let session

/** Sends a text; resolves with the first piece of the answer, and hangs up then where that is asked for. */
function post(body, { revision = '2025-11-25', hangUp = false } = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(session && mode !== 'no-session' ? { 'mcp-session-id': session } : {}),
  }
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      session ??= response.headers['mcp-session-id']
      if (hangUp) return resolve(void sent.destroy())
      response.on('data', (piece) => resolve(String(piece))).on('end', () => resolve(''))
    })
    sent.on('error', () => resolve('')).end(body)
  })
}

const message = (id, method, params) => ({ jsonrpc: '2.0', id, method, params })

async function call(tool, args) {
  const protocolVersion = mode === 'odd-revision' ? '1999-01-01' : '2025-11-25'
  const capabilities = { elicitation: { url: {} }, delegated_authorization: {} }
  const clientInfo = { name: mode, version: '1' }
  const begin = message(1, 'initialize', { protocolVersion, capabilities, clientInfo })
  const asked = message(2, 'tools/call', { name: tool, arguments: JSON.parse(args) })
  if (mode === 'no-json') return post(`call ${tool}, please`)
  if (mode === 'batch') return post(JSON.stringify([begin, asked]))
  await post(JSON.stringify(begin))
  await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  if (mode === 'half') return post(JSON.stringify(asked).slice(0, 40))
  const revision = mode === 'odd-revision' ? '1999-01-01' : undefined
  await post(JSON.stringify(asked), { revision, hangUp: mode === 'hangs-up' })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [, tool, args] = /^call (\S+) (.*)$/.exec(line) ?? []
  if (tool) void call(tool, args).then((answer) => console.log(answer ?? 'nothing'))
})
