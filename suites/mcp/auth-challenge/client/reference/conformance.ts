/** What its author tells a conformance run of this client: its servers, its registration, how it is used. */

export const conformance = {
  target: {
    env: {
      MCP_SERVERS: '{"{mcp.name}": "{mcp.url}", "{mcp.name2}": "{mcp.url2}"}',
      OAUTH_CLIENT_ID: '{provider.clientId}',
      OAUTH_CLIENT_SECRET: '{provider.clientSecret}',
      TOKEN_FILE: '{data.dir}/tokens',
      TOKEN_KEY: 'a key for conformance runs only',
    },
  },
  drive: { terminal: { call: 'call {tool} {arguments}' } },
  declares: { modern: true, tokenStore: ['{data.dir}'] },
}
