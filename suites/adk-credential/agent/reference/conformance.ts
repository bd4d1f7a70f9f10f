/** What its author tells a conformance run of this agent: its environment, its tools, what it declares. */

export const conformance = {
  target: {
    env: {
      PORT: '{port}',
      MODEL_URL: '{model.origin}',
      MODEL_KEY: '{model.key}',
      MODEL_NAME: '{model.name}',
      OAUTH_ISSUER: '{provider.issuer}',
      AUTHORIZATION_ENDPOINT: '{provider.authorizationEndpoint}',
      TOKEN_ENDPOINT: '{provider.tokenEndpoint}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      REDIRECT_URI: '{redirect.url}',
      RESOURCE_URL: '{resource.url}',
      DATA_DIR: '{data.dir}',
      UPSTREAM_TIMEOUT_MS: '3000',
    },
  },
  operation: {
    name: 'list_items',
    arguments: { search: 'Welcome' },
    otherArguments: { search: 'Tea' },
    scopes: ['items:read'],
  },
  others: {
    otherCredential: { name: 'add_item', arguments: { title: 'Tea' } },
    sameCredential: { name: 'count_items', arguments: {} },
    open: { name: 'tell_time', arguments: {} },
  },
  declares: { durable: true, tokenStore: ['{data.dir}'] },
}
