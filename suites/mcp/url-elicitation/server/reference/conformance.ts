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
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
      MCP_AUTHORIZATION: 'required',
      PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
      UPSTREAM_TIMEOUT_MS: '3000',
    },
  },
  tool: { name: 'list_items', arguments: {}, otherArguments: { limit: 1 } },
  declares: {
    scopes: ['items:read'],
    pendingTimeout: '5s',
    login: '/login',
    modern: true,
    tokenStore: ['{data.dir}'],
  },
}
