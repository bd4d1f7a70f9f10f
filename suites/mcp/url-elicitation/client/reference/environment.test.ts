import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

test('servers by their names, over either transport', () => {
  const MCP_SERVERS = '{"items": {"url": "http://127.0.0.1:1/mcp"}, "notes": {"command": "notes"}}'
  expect(readEnvironment({ MCP_SERVERS })).toEqual({
    value: {
      userInterface: 'terminal',
      servers: [
        { name: 'items', url: 'http://127.0.0.1:1/mcp' },
        { name: 'notes', command: 'notes' },
      ],
    },
  })
})

test('an adapter is told its servers later', () => {
  expect(readEnvironment({ USER_INTERFACE: 'adapter' })).toEqual({
    value: { userInterface: 'adapter', servers: [] },
  })
})

test.each([
  [{}, 'MCP_SERVERS: expected a server'],
  [{ MCP_SERVERS: '{' }, 'MCP_SERVERS: expected a JSON object'],
  [{ MCP_SERVERS: '{"items": {}}' }, 'MCP_SERVERS.items: expected either url or command'],
  [{ MCP_SERVERS: '{"items": {"url": "ftp://x"}}' }, 'MCP_SERVERS.items.url'],
  [{ USER_INTERFACE: 'window' }, 'USER_INTERFACE'],
])('%j: %s', (env, problem) => {
  expect(readEnvironment(env)).toEqual({ problems: [expect.stringContaining(problem)] })
})
