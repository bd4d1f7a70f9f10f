/** What its author tells a conformance run of this server: its environment, a tool to call, what it declares. */

export const conformance = {
  target: {
    endpoint: '/mcp',
    authorization: true,
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{server.url}',
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      OAUTH_SCOPES: 'items:read',
      REDIRECT_URIS: '{redirect.url} com.example.items://oauth/callback',
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
      PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
      UPSTREAM_TIMEOUT_MS: '3000',
    },
  },
  provider: {
    client: {
      redirectUris: ['http://127.0.0.1:8976/callback', 'com.example.items://oauth/callback'],
    },
  },
  tool: { name: 'list_items', arguments: {} },
  declares: { scopes: ['items:read'], pendingTimeout: '5s', tokenStore: ['{data.dir}'] },
}
