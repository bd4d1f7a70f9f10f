/** The MCP endpoint beside the REST API (Model Context Protocol, Authorization): Streamable HTTP, bearer-protected. */
import { authorizationOf } from '../authorization/authorization.ts'
import type { Draft, Endpoint, Exchange } from '../http/exchange.ts'
import { tryJson } from '../http/json-body.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Reply } from '../http/reply.ts'
import type { ResourceAccessDetail } from '../log/events.ts'
import { optional } from '../provider/optional.ts'
import type { ProviderState } from '../provider/state.ts'
import { mcpPath } from '../resource/bearer-challenge.ts'
import { describeAccess, requireAccess, tokenOf } from '../resource/require-access.ts'
import { toolName, type ResourceRoute } from '../resource/resource-route.ts'

export function mcpEndpoint(state: ProviderState): Endpoint<Draft<ResourceAccessDetail>> {
  const { resources, issuer } = state.settings
  return {
    name: 'mcp',
    methods: ['POST'],
    path: mcpPath,
    faults: 'resource',
    attribute: (exchange) => authorizationOf(state, state.tokens.get(tokenOf(exchange).value)),
    attempt: (exchange) => describeAccess(state, exchange),
    async handle(exchange, attempt) {
      const { url, method, headers, body } = exchange
      // Transports, Security: a web page must not reach it by rebinding a name
      const origin = headers.get('origin')
      if (origin !== null && origin !== new URL(issuer).origin) {
        throw new OAuthError('invalid_request', 'the origin is not allowed', { status: 403 })
      }
      const scope = scopeOf(exchange, resources)
      const token = await requireAccess(state, exchange, { scope, resource: mcpPath })
      // the SDK is loaded when it is first needed
      const { answerMcp } = await optional(
        () => import('../resource/mcp-server.ts'),
        '@modelcontextprotocol/server',
        'The MCP endpoint',
      )
      const response = await answerMcp(
        resources,
        token,
        new Request(url, { method, headers, body }),
      )
      attempt.outcome = 'served'
      return replyOf(response)
    },
  }
}

/** The scope of all tools that are called, so that a client can be sent back for it. */
function scopeOf({ body }: Exchange, routes: readonly ResourceRoute[]): string | undefined {
  const names = calledTools(body)
  const called = routes.filter((route) => names.includes(toolName(route)))
  const scopes = new Set(called.map(({ scope }) => scope))
  return scopes.size > 0 ? [...scopes].join(' ') : undefined
}

interface Message {
  readonly method?: unknown
  readonly params?: { readonly name?: unknown }
}

function calledTools(body: string): readonly unknown[] {
  try {
    const messages: readonly (Message | null)[] = [JSON.parse(body)].flat()
    return messages.flatMap((each) => (each?.method === 'tools/call' ? each.params?.name : []))
  } catch {
    return []
  }
}

async function replyOf(response: Response): Promise<Reply> {
  const headers = Object.fromEntries(response.headers)
  const text = await response.text()
  const reply = { status: response.status, headers: { 'cache-control': 'no-store', ...headers } }
  const message = tryJson(text)
  return isObject(message) ? { ...reply, json: message } : { ...reply, text }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
