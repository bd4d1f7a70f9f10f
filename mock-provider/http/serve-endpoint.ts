/** Serves an endpoint: an exchange is read, logged, answered, possibly disturbed by faults, and logged again. */
import type { Context } from 'hono'
import { withFaults } from '../faults/with-faults.ts'
import type { AttemptDetail } from '../log/events.ts'
import { deviate, refuse } from '../presets/apply.ts'
import type { ProviderState } from '../provider/state.ts'
import { chain, rescue, type MaybePromise } from '../storage/maybe-promise.ts'
import { ConnectionClosed } from './connection-closed.ts'
import { preflight, shared } from './cross-origin.ts'
import type { Endpoint, Exchange } from './exchange.ts'
import { MissingPackage } from '../provider/optional.ts'
import { errorReply, OAuthError } from './oauth-error.ts'
import { receive } from './receive.ts'
import { json, bodyOf, toResponse, type Reply } from './reply.ts'

/** Turns an endpoint into a Hono handler. It rejects with `ConnectionClosed` when no answer is given. */
export function serveEndpoint(state: ProviderState, endpoint: Endpoint) {
  return (context: Context): MaybePromise<Response> =>
    chain(receive(state, endpoint, context), ({ exchange, problem }) => {
      let attempt: AttemptDetail | undefined
      const conclude = (reply: Reply) => {
        const deviating = shared(endpoint, exchange, deviate(state, endpoint.name, exchange, reply))
        if (attempt) exchange.log(attempt)
        const body = bodyOf(deviating)
        logResponse(exchange, deviating, body)
        return toResponse(deviating, body)
      }
      const serve = () => {
        if (problem) throw problem
        const allowed = preflight(endpoint, exchange)
        if (allowed) return conclude(allowed)
        return chain(endpoint.attempt?.(exchange), (described) => {
          attempt = described
          return chain(answer(state, endpoint, exchange, attempt), conclude)
        })
      }
      return rescue(serve, (error) => {
        attempt &&= describeFailure(attempt, error)
        if (!(error instanceof ConnectionClosed)) return conclude(failure(error))
        if (attempt) exchange.log(attempt)
        exchange.log({ type: 'connection', closedBy: error.by, faults: [...exchange.fired] })
        throw error
      })
    })
}

function answer(
  state: ProviderState,
  endpoint: Endpoint,
  exchange: Exchange,
  attempt: AttemptDetail | undefined,
): MaybePromise<Reply> {
  if (!endpoint.methods.includes(exchange.method)) {
    const headers = { allow: endpoint.methods.join(', ') }
    throw new OAuthError('invalid_request', 'method not allowed', { status: 405, headers })
  }
  // an endpoint that describes attempts gets the attempt that it described; the others look at none
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const handle = () =>
    refuse(state, endpoint.name, exchange) ?? endpoint.handle(exchange, attempt as AttemptDetail)
  return endpoint.faults ? withFaults(state, exchange, endpoint.faults, handle) : handle()
}

function logResponse(exchange: Exchange, { status, headers }: Reply, body: string): void {
  const faults = [...exchange.fired]
  const leniencies = exchange.leniencies.length > 0 ? [...exchange.leniencies] : undefined
  exchange.log({ type: 'response', status, headers, body, faults, leniencies })
}

function describeFailure(attempt: AttemptDetail, error: unknown): AttemptDetail {
  if (!(error instanceof OAuthError)) return { ...attempt, outcome: 'refused' }
  const { code, message: problem } = error
  const refused = { ...attempt, outcome: 'refused', error: attempt.error ?? code } as const
  return refused.type === 'grant' ? { ...refused, problem } : refused
}

function failure(error: unknown): Reply {
  if (error instanceof OAuthError) return errorReply(error)
  if (error instanceof MissingPackage) {
    return json({ error: 'server_error', error_description: error.message }, 501)
  }
  console.error(error)
  return json({ error: 'server_error' }, 500)
}
