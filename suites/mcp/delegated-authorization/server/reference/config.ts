/** What this server is configured with. */

export interface Config {
  /** The public URL of the server, without a trailing slash. */
  readonly publicUrl: string
  /** The authorization server: of the API, and of the MCP endpoint. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What is asked for at the API. */
  readonly scopes: readonly string[]
  /** Redirect URIs that are registered, those that clients should prefer first; one on 127.0.0.1 with any port. */
  readonly redirectUris: readonly [string, ...string[]]
  /** Base URL of the protected API. */
  readonly resourceUrl: string
  readonly dataDir: string
  /** How long a call may wait for its user, in milliseconds. */
  readonly pendingTimeoutMs: number
  /** How long one request to anybody else may take, in milliseconds. */
  readonly upstreamTimeoutMs: number
}

/** The MCP endpoint, which is the resource that the tokens of MCP clients are for. */
export function endpointOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${publicUrl}/mcp`
}
