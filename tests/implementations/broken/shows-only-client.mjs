/** An MCP client that knows no authorization at all: it calls tools, and shows what they say. */

import { createInterface } from 'node:readline'

const [endpoint] = process.argv.slice(2)
let session

async function post(message) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session ? { 'mcp-session-id': session } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  session = response.headers.get('mcp-session-id') ?? session
  return response.text()
}

const clientInfo = { name: 'shows-only', version: '0' }
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
const ready = post({ id: 0, method: 'initialize', params })
createInterface({ input: process.stdin }).on('line', (line) => {
  const [, name, args] = /^(\S+) (.*)$/.exec(line) ?? []
  if (!name) return
  ready
    .then(() =>
      post({ id: 1, method: 'tools/call', params: { name, arguments: JSON.parse(args) } }),
    )
    .then((text) => console.log(/"text":"(.*?)"/.exec(text)?.[1] ?? 'nothing'))
    .catch((error) => console.log(error.message))
})
