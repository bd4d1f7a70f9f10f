/** The protected API as tools of an MCP server, one for each route (Model Context Protocol 2025-11-25). */
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Token } from '../authorization/authorization.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { bodyOf } from '../http/reply.ts'
import { toolName, type ResourceRoute } from './resource-route.ts'

/** Answers one request without a session: whatever it needs to know is in the token. */
export async function answerMcp(
  routes: readonly ResourceRoute[],
  token: Token,
  request: Request,
): Promise<Response> {
  const server = new McpServer({ name: 'mock-provider', version: '1' })
  for (const route of routes) {
    server.registerTool(
      toolName(route),
      {
        description: `${route.method} ${route.path}, for tokens with the scope ${route.scope}`,
        inputSchema: z.object({ body: z.record(z.string(), z.unknown()).optional() }),
      },
      async ({ body }) => callRoute(route, token, body),
    )
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

async function callRoute(
  { method, path, serve }: ResourceRoute,
  { subject, clientId, scopes }: Token,
  body: unknown,
) {
  const headers = new Headers({ 'content-type': 'application/json' })
  const url = new URL(path, 'https://mcp.invalid')
  const text = JSON.stringify(body ?? {})
  try {
    const reply = await serve?.({ subject, clientId, scopes, method, url, headers, body: text })
    return content(reply ? bodyOf(reply) : JSON.stringify({ subject, scope: scopes.join(' ') }))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { ...content(error.message), isError: true }
  }
}

const content = (text: string) => ({ content: [{ type: 'text' as const, text }] })
