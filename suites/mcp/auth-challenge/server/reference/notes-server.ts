/** The server as a fetch handler: its metadata, and the MCP endpoint of both eras. */

import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  type AuthInfo,
  type CallToolResult,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Access } from './access.ts'
import type { Need } from './challenge.ts'
import { endpointOf, type Config } from './config.ts'
import { defaultParts, type Parts } from './parts.ts'
import type { Issuer } from './verify-token.ts'

export interface NotesServer {
  /** `connection` is the same for the requests of one. */
  readonly fetch: (request: Request, connection?: object) => Promise<Response>
  readonly close: () => Promise<void>
}

/**
 * Makes an MCP server that everybody can connect to, and whose tool asks for a sign-in in its result.
 *
 * @param changes replaces steps of the server
 */
export function createNotesServer(config: Config, changes: Partial<Parts> = {}): NotesServer {
  const parts: Parts = { ...defaultParts, ...changes }
  let issuer: Promise<Issuer> | undefined
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  /** Asked once it is needed, and again where that failed. */
  const known = (): Promise<Issuer> => {
    issuer ??= parts.discoverIssuer(config).catch((error: unknown) => {
      issuer = undefined
      throw error
    })
    return issuer
  }

  const accessOf = async (request: Request, connection: object): Promise<Access> => {
    const token = parts.bearerToken(request, connection)
    if (token === undefined) return { kind: 'nobody' }
    const verify = token.split('.').length === 3 ? parts.verifyJwt : parts.introspect
    const claims = parts.readClaims(await verify(await known(), config, token))
    if (claims === undefined) return { kind: 'invalid' }
    return parts.accessOf(claims, { issuer: config.issuer, resource: endpointOf(config) })
  }

  /** What the tool is told about a request, whatever it turns out to be. */
  const needOf = async (request: Request, connection: object): Promise<Need> => ({
    access: await accessOf(request, connection),
    metadataUrl: parts.publicUrlOf(config, request.headers) + parts.metadataPath,
    userAgent: request.headers.get('user-agent') ?? '',
  })

  const callTool = (need: Need): CallToolResult => {
    const { access } = need
    if (access.kind === 'user' && parts.missingScopes(access).length === 0)
      return parts.listNotes(access.subject)
    parts.log(`asked for a sign-in: ${access.kind}`)
    return parts.challengeResult(parts.formatChallenge(parts.challengeParameters(need)), need)
  }

  const newMcpServer = (): McpServer => {
    const server = new McpServer({ name: 'notes', version: '1.0.0' })
    const description = 'Lists the notes of the user.'
    server.registerTool('list_notes', { description, inputSchema: z.object({}) }, (_, { http }) =>
      callTool(http?.authInfo?.extra?.['need'] as Need),
    )
    return server
  }

  const modern = createMcpHandler(newMcpServer, { legacy: 'reject', onerror: () => {} })

  const serveLegacy = async (request: Request, authInfo: AuthInfo): Promise<Response> => {
    const id = request.headers.get('mcp-session-id')
    const running = id === null ? undefined : sessions.get(id)
    if (running) return running.handleRequest(request, { authInfo })
    const sessionIdGenerator = parts.newSessionId()
    if (id !== null && sessionIdGenerator) return new Response(null, { status: 404 })
    const transport = parts.createTransport({
      ...(sessionIdGenerator && { sessionIdGenerator }),
      onsessioninitialized: (started) => void sessions.set(started, transport),
      onsessionclosed: (ended) => void sessions.delete(ended),
    })
    await newMcpServer().connect(transport)
    return transport.handleRequest(request, { authInfo })
  }

  const serveMcp = async (request: Request, connection: object): Promise<Response> => {
    const need = await needOf(request, connection)
    const challenge = parts.formatChallenge(parts.challengeParameters(need))
    const refused = parts.answerByHttp(need.access, challenge, request)
    if (refused) return refused
    // The SDK hands on what it was given; whether somebody has signed in is for the tool to decide.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { need } }
    if (await isLegacyRequest(request)) return serveLegacy(request, authInfo)
    return parts.answerModern(await modern.fetch(request, { authInfo }), request)
  }

  return {
    async fetch(request, connection = {}) {
      const { pathname } = new URL(request.url)
      if (pathname === '/mcp') return serveMcp(request, connection)
      if (pathname !== parts.metadataPath || request.method !== 'GET')
        return new Response(null, { status: 404 })
      const publicUrl = parts.publicUrlOf(config, request.headers)
      return parts.serveMetadata(parts.describeResource(publicUrl, config.issuer))
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
      await modern.close()
    },
  }
}
