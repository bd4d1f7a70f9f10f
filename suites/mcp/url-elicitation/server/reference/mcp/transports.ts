/** How MCP travels: the transports of the official SDK, as they are used here. */

import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpHttpHandler,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Answers with SSE, so that requests to the client travel on the stream of the call. */
export function createTransport(
  options: WebStandardStreamableHTTPServerTransportOptions,
): WebStandardStreamableHTTPServerTransport {
  return new WebStandardStreamableHTTPServerTransport(options)
}

export function createStdioTransport(): StdioServerTransport {
  return new StdioServerTransport()
}

/** Answers a request of 2026-07-28. */
export function serveModern(
  handler: McpHttpHandler,
  request: Request,
  auth: AuthInfo | undefined,
): Promise<Response> {
  return handler.fetch(request, auth && { authInfo: auth })
}
