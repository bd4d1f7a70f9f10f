// An MCP server whose one tool, list_items, needs nothing, and which goes wrong on the wire: node wire-server.mjs <mode> [stdio]
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [mode, transport] = process.argv.slice(2)
const revision = mode === 'odd-revision' ? '1999-01-01' : '2025-11-25'
const results = {
  initialize: {
    protocolVersion: revision,
    capabilities: { tools: {} },
    serverInfo: { name: mode, version: '1' },
  },
  'tools/list': { tools: [{ name: 'list_items', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'nothing' }] },
}
const replyTo = ({ id, method }) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })

if (transport === 'stdio') {
  const greeting = { noise: 'listening ...', html: '<html>' }[mode]
  if (greeting) console.log(greeting)
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.id === undefined) return
    if (mode === 'half' && message.method === 'tools/call')
      return process.stdout.write('{"jsonrpc":"2.0",')
    console.log(mode === 'html' ? '<p>no</p>' : replyTo(message))
  })
} else {
  let beside
  createServer(async (request, response) => {
    if (request.method === 'GET' && mode === 'get-stream') {
      beside = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return beside.flushHeaders()
    }
    if (request.method !== 'POST') return response.writeHead(405).end()
    let body = ''
    for await (const chunk of request) body += chunk
    const message = JSON.parse(body)
    if (message.id === undefined) return response.writeHead(202).end()
    if (message.method !== 'initialize') {
      if (mode === 'lost-session') return response.writeHead(404).end()
      if (mode === 'cut') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"jsonrpc":"2.0",')
        return setTimeout(() => response.destroy(), 50)
      }
      if (mode === 'get-stream') {
        response.writeHead(202).end()
        return beside?.write(`data: ${replyTo(message)}\n\n`)
      }
    }
    const session = mode === 'lost-session' ? { 'mcp-session-id': 's' } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...session })
    response.end(replyTo(message))
  }).listen(Number(process.env.PORT), '127.0.0.1')
}
