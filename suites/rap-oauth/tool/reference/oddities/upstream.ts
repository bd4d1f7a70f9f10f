/** Oddities of what the tool asks of the API. */

import { z } from 'zod'

import { followingRedirects, pause } from '../defects/alter.ts'
import { createQueue } from '../queue.ts'
import type { BoundFetch } from '../upstream.ts'
import type { Oddity } from './oddity.ts'

export const upstreamOddities: readonly Oddity[] = [
  {
    id: 'api-is-an-mcp-server',
    description: 'its API is an MCP server, whose tools it calls with the token of the user',
    permitted: 'RAP OAuth, Flow: how the operation is carried out is the affair of the tool',
    touches: [
      'authorize-and-complete',
      'stored-token',
      'resource-held-back',
      'retry-never-answered',
    ],
    env: { RESOURCE_INDICATOR: '{provider.issuer}/mcp' },
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation(
          { ...api, fetch: byTools(api.fetch, api.baseUrl) },
          request,
          accessToken,
        ),
    }),
  },
  {
    id: 'one-worker',
    description:
      'one worker does everything that waits for the provider or the API, one task at a time',
    permitted: 'RAP Lifecycle, Tool Concurrency: a tool MAY process invocations concurrently',
    touches: [
      'authorize-and-complete',
      'stored-token',
      'two-calls-of-one-user',
      'exchange-token-error-500',
    ],
    parts(defaults) {
      const queue = createQueue()
      const alone = <T>(task: () => Promise<T>): Promise<T> => queue('all', task)
      return {
        exchangeCode: (...args) => alone(() => defaults.exchangeCode(...args)),
        refreshTokens: (...args) => alone(() => defaults.refreshTokens(...args)),
        performOperation: (...args) => alone(() => defaults.performOperation(...args)),
      }
    },
  },
  {
    id: 'api-asked-late',
    description: 'every operation waits two and a half seconds before the API is asked',
    permitted: 'RAP Lifecycle, Timeouts: tools MAY take arbitrarily long',
    touches: ['access-token-expired', 'refresh-at-once', 'refresh-held-back', 'refresh-refused'],
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        await pause(2500)
        return defaults.performOperation(api, request, accessToken)
      },
    }),
  },
  {
    id: 'api-redirect-followed-without-token',
    description: 'a redirect of the API is followed, to another origin without the token',
    permitted: 'RFC 6750 §5.3 is about the token; the Fetch standard drops it likewise',
    touches: ['api-redirected-elsewhere', 'authorize-and-complete'],
    parts: (defaults) => ({
      performOperation: (api, request, accessToken) =>
        defaults.performOperation(
          { ...api, fetch: followingRedirects(api.fetch) },
          request,
          accessToken,
        ),
    }),
  },
]

const answerSchema = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    content: z.array(z.object({ text: z.string() })).min(1),
  }),
})

/** Turns requests to the REST API into calls of the tools that stand for its routes, and their results back. */
function byTools(fetch: BoundFetch, baseUrl: string): BoundFetch {
  return async (url, init = {}) => {
    const { method = 'GET', body, headers } = init
    const args = typeof body === 'string' ? { body: JSON.parse(body) as unknown } : {}
    const params = { name: `${method.toLowerCase()}_items`, arguments: args }
    const answer = await fetch(new URL('/mcp', baseUrl).href, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    if (!answer.ok || !url.startsWith(baseUrl)) return answer
    const { result } = answerSchema.parse(await answer.json())
    return new Response(result.content[0]?.text ?? '', { status: result.isError ? 400 : 200 })
  }
}
