/** The server as a fetch handler and as a stdio connection: its routes, and the wiring of its parts. */

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Hono, type Context as Http } from 'hono'

import { metadataUrl } from './access/resource-metadata.ts'
import { handleCallback } from './browser/callback.ts'
import { handleConnect } from './browser/connect.ts'
import { handleLogin } from './browser/login.ts'
import { resolveConfig, type ItemsServerConfig } from './config.ts'
import { createElicitations } from './elicitations.ts'
import { createMcpServer } from './mcp/create-mcp-server.ts'
import { createEndpoint, type McpEndpoint } from './mcp/endpoint.ts'
import { createFlows } from './oauth/flows.ts'
import { once } from './oauth/provider.ts'
import { defaultParts, type Parts } from './parts.ts'
import { createTokenStore } from './tokens/token-store.ts'
import { createTokenVault } from './tokens/token-vault.ts'
import { boundFetch } from './upstream/bound-fetch.ts'
import { createQueue } from './upstream/queue.ts'
import type { Work } from './work.ts'

export interface ItemsServer {
  readonly app: Hono
  /** Serves MCP on stdin and stdout as well; the pages stay where they are. */
  readonly serveStdio: () => void
  /** Ends what waits for users, so that their calls are answered, and closes every connection. */
  readonly close: () => Promise<void>
}

/**
 * Makes an MCP server that lists the user's items behind OAuth.
 *
 * @param changes replaces steps of the server, for example the clock in a test
 * @throws when the token key in `dataDir` cannot be read or made
 * @example
 * const server = createItemsServer({ publicUrl, issuer, clientId, resourceUrl, dataDir })
 * const response = await server.app.request('/mcp', { method: 'POST', body: initialize })
 * await server.close()
 */
export function createItemsServer(
  config: ItemsServerConfig,
  changes: Partial<Parts> = {},
): ItemsServer {
  const parts = { ...defaultParts, ...changes }
  const settings = resolveConfig(config)
  const closing = new AbortController()
  const fetch = boundFetch(settings.fetch, settings.upstreamTimeoutMs, closing.signal)
  const provider = once(() => parts.discoverProvider(settings, fetch))
  const store = createTokenStore(settings.dataDir, parts.createCipher(settings.tokenKey))
  const work: Work = {
    settings,
    parts,
    fetch,
    provider,
    vault: createTokenVault(store, provider, createQueue(), parts),
    elicitations: createElicitations(settings.pendingTimeoutMs),
    flows: createFlows(parts.now),
    logins: parts.createLogins(parts.now),
    requestState: parts.createStateCodec(settings),
  }
  const endpoint = createEndpoint(work)
  const connections: { close(): Promise<void> }[] = []
  return {
    app: createRoutes(work, endpoint),
    serveStdio() {
      const transport = parts.createStdioTransport()
      connections.push(serveStdio(({ era }) => createMcpServer(work, era), { transport }))
    },
    async close() {
      work.elicitations.stop()
      // The answers of the calls that waited are on their way.
      await new Promise((resolve) => setImmediate(resolve))
      closing.abort()
      await Promise.all([endpoint.close(), ...connections.map((each) => each.close())])
      await store.close()
    },
  }
}

function createRoutes(work: Work, endpoint: McpEndpoint): Hono {
  const { parts, settings } = work
  const app = new Hono()

  app.all('/mcp', (http) => endpoint.handle(http.req.raw))

  const describe = (http: Http) => http.json(parts.describeResource(settings))
  app.get(metadataUrl(settings.endpoint).pathname, describe)
  app.get('/.well-known/oauth-protected-resource', describe)

  const pages = { '/connect': handleConnect, '/login': handleLogin, '/callback': handleCallback }
  for (const [path, handle] of Object.entries(pages)) {
    app.get(path, async (http) => {
      // Link scanners send HEAD, which Hono routes to GET: it must not use up the user's one answer.
      return http.req.method === 'GET' ? handle(work, http) : http.body(null, 405)
    })
  }

  // The message of an unexpected error may quote what the request carried.
  app.onError((_error, http) => {
    parts.log({ event: 'internal-error' })
    return http.json({ error: 'internal error' }, 500)
  })
  return app
}
