// Certifies the tool of this project in its own test run: a describe per situation, a test per requirement.
import { conformance } from 'agent-oauth-conformance/vitest'

conformance('rap-oauth/tool', {
  implementation: { name: 'my tool', version: '1.0.0' },
  target: {
    command: [process.execPath, 'server.mjs'],
    // How this tool is told where it listens, who its provider is, and where the protected API is.
    env: {
      PORT: '{port}',
      ISSUER: '{provider.issuer}',
      AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
      TOKEN_ENDPOINT: '{provider.tokenEndpoint}',
      CLIENT_ID: '{provider.clientId}',
      CLIENT_SECRET: '{provider.clientSecret}',
      SCOPES: 'items:read',
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
      PENDING_TIMEOUT_MS: '{pendingTimeoutMs}',
    },
    // Only where the endpoint in the discovery document cannot be reached from here.
    endpoint: '/rap',
  },
  operation: { name: 'list_items', scopes: ['items:read'] },
  declares: { pendingTimeout: '10s', tokenStore: ['{data.dir}/store'] },
})
