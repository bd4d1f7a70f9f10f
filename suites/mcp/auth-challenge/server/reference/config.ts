/** What this server is configured with. */

export interface Config {
  /** The public URL of the server, without a trailing slash. */
  readonly publicUrl: string
  /** The authorization server whose tokens are accepted. */
  readonly issuer: string
  /** How this server introduces itself at the introspection endpoint. */
  readonly clientId: string
  readonly clientSecret: string
}

/** The MCP endpoint, which is the resource that tokens are for. */
export function endpointOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/mcp`
}
