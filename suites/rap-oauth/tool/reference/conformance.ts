/** What its author tells a conformance run of this tool: its environment, an operation to call, what it declares. */

export const conformance = {
  target: {
    env: {
      PORT: '{port}',
      PUBLIC_URL: '{tool.url}',
      OAUTH_ISSUER: '{provider.issuer}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
      PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
      UPSTREAM_TIMEOUT_MS: '3000',
    },
  },
  operation: { name: 'list_items', scopes: ['items:read'] },
  declares: { pendingTimeout: '5s', tokenStore: ['{data.dir}'] },
}
