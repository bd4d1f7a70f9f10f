/** What the server begins, on the stream that GET opens. */

import type { Call } from '../mcp/call.ts'
import type { Parts } from '../parts.ts'

/** What the server begins is not tied to the stream of a call. */
export function onGetStream() {
  return {
    sendElicitation: ({ call, request, timeout }, signal) =>
      call.server.server.request(
        { method: 'elicitation/create', params: { ...request } },
        { timeout, signal },
      ),
    async notifyComplete({ server }: Call, { id }) {
      const method = 'notifications/elicitation/complete'
      await server.server.notification({ method, params: { elicitationId: id } })
    },
  } satisfies Partial<Parts>
}
