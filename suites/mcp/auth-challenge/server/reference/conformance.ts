/** What its author tells a conformance run of this server: its environment, a tool to call, what it declares. */

export const conformance = {
  target: {
    endpoint: '/mcp',
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{server.url}',
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
    },
  },
  provider: { tokenFormat: 'jwt' },
  tool: { name: 'list_notes', arguments: {} },
  declares: { scopes: ['notes:read'], modern: true },
}
