/** Oddities of multi round-trip requests (2026-07-28). */

import type { CallState } from '../mcp/request-state.ts'
import { alterInputRequired, decode, encode, fieldsOf, type Fields } from '../defects/alter.ts'
import { CallFailure } from '../failure.ts'
import type { Parts } from '../parts.ts'
import type { Oddity } from './oddity.ts'

const spec = 'MCP 2026-07-28 MRTR'

export const roundOddities: readonly Oddity[] = [
  {
    id: 'without-request-state',
    description:
      'a result that asks for input has no requestState: what is known is kept (2026-07-28)',
    permitted: `${spec}, Server Requirements 3: it MAY include one`,
    touches: ['modern', 'altered-state', 'foreign-state', 'modern-accept-only', 'missing-input'],
    parts: (defaults) =>
      alterInputRequired(defaults, ({ requestState: _state, ...result }) => result),
  },
  {
    id: 'state-is-a-handle',
    description: 'requestState is a random handle in JSON, at an endpoint that demands no token',
    permitted: `${spec}, Server Requirements 4: tampering causes nothing worse than request failure`,
    touches: ['modern', 'altered-state', 'state-of-another-request', 'missing-input'],
    parts: () => ({
      createStateCodec() {
        const kept = new Map<unknown, CallState>()
        return {
          async mint(state) {
            const handle = crypto.randomUUID()
            kept.set(handle, state)
            return encode({ handle })
          },
          async verify(text) {
            const known = kept.get(fieldsOf(decode(text))['handle'])
            if (known === undefined) throw new CallFailure('state-refused')
            return known
          },
        }
      },
    }),
    env: { MCP_AUTHORIZATION: 'none' },
    configuration: { target: { authorization: false }, declares: { login: undefined } },
  },
  {
    id: 'retry-blocks',
    description: 'a retry without an answer waits for what its user does in the browser',
    permitted: `${spec}, Error Handling: asked for again where it is necessary`,
    touches: ['modern', 'missing-input'],
    parts: (defaults) =>
      onRetryWithoutInput(defaults, (message, serve) => {
        const inputResponses = { authorization: { action: 'accept' } }
        return serve({ ...message, params: { ...fieldsOf(message['params']), inputResponses } })
      }),
  },
  {
    id: 'state-alone-asks',
    description: 'a retry without an answer is told to come again, by nothing but the state',
    permitted: `${spec}, Server Requirements 6: at least one of inputRequests or requestState`,
    touches: ['modern', 'missing-input'],
    parts: (defaults) =>
      onRetryWithoutInput(defaults, async ({ id, params }) => {
        const { requestState } = fieldsOf(params)
        const result = { resultType: 'input_required', requestState }
        return Response.json({ jsonrpc: '2.0', id, result })
      }),
  },
]

/** What is done with a retry that brings its state and nothing else. */
function onRetryWithoutInput(
  defaults: Parts,
  answer: (message: Fields, serve: (message: Fields) => Promise<Response>) => Promise<Response>,
): Partial<Parts> {
  return {
    async serveModern(handler, request, auth) {
      const message = fieldsOf(await request.clone().json())
      const { requestState, inputResponses } = fieldsOf(message['params'])
      const isRetry = requestState !== undefined && inputResponses === undefined
      if (!isRetry) return defaults.serveModern(handler, request, auth)
      const { url, method, headers, signal } = request
      return answer(message, (changed) => {
        const body = JSON.stringify(changed)
        return defaults.serveModern(
          handler,
          new Request(url, { method, headers, body, signal }),
          auth,
        )
      })
    },
  }
}
