// An MCP client that answers accept to whatever it is asked, and shows and opens nothing: as SDKs are tried out with.
// usage: accept-everything.mjs URL

import { createInterface } from 'node:readline'

const [url] = process.argv.slice(2)
let session
let ids = 0

async function send(message) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session ? { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' } : {}),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  const answer = await fetch(url, { method: 'POST', headers, body })
  session ??= answer.headers.get('mcp-session-id')
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    rest += Buffer.from(chunk).toString()
    const lines = rest.split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: ')) void take(JSON.parse(line.slice(6)))
  }
}

function take({ id, method }) {
  if (method !== undefined && id !== undefined) return send({ id, result: { action: 'accept' } })
}

const connected = send({
  id: (ids += 1),
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { url: {} } },
    clientInfo: { name: 'accept-everything', version: '1' },
  },
}).then(() => send({ method: 'notifications/initialized' }))

createInterface({ input: process.stdin }).on('line', (line) => {
  const [, name, args] = /^(\S+) (.*)$/.exec(line) ?? []
  if (name === undefined || !args.startsWith('{')) return
  const params = { name, arguments: JSON.parse(args) }
  void connected.then(() => send({ id: (ids += 1), method: 'tools/call', params }))
})
