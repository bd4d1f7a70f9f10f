// What the SDK's example of a client needs where its input is no terminal, and its server is at another place.
process.stdin.setRawMode = () => process.stdin
const first = 'http://localhost:3000/mcp'
const place = new URL(process.env.MCP_URL)
const { fetch } = globalThis
globalThis.fetch = (url, options) => fetch(new Request(url).url === first ? place : url, options)
