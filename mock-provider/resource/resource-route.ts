/** What a route of the protected API is. */
import type { Reply } from '../http/reply.ts'

/** A request that its access token permits. */
export interface ResourceRequest {
  readonly subject: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

/** The name of the route as a tool of the MCP endpoint: `get_items`. */
export function toolName({ method, path }: Pick<ResourceRoute, 'method' | 'path'>): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`
}

/** A route of the protected API, and the scope that it needs. */
export interface ResourceRoute {
  readonly method: string
  /** Below `/resource`, as `/items`. */
  readonly path: string
  /** Serves it without `/resource`, too, as an API with a host of its own does. */
  readonly atRoot?: boolean
  /** The scope that a token needs. */
  readonly scope: string
  /** Serves the request. Default: tells who asked. */
  readonly serve?: (request: ResourceRequest) => Reply | Promise<Reply>
  /** Forgets what was stored, when the provider is reset. */
  readonly reset?: () => void
}
