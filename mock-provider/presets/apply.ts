/** Lets a provider deviate where its preset says so, and notes which deviation took effect. */
import type { Authorization } from '../authorization/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Reply } from '../http/reply.ts'
import type { EndpointName } from '../log/events.ts'
import type { ProviderState } from '../provider/state.ts'
import type { DeviationSituation, Deviations } from './deviation.ts'

/** Reads a request in the provider's own way. */
export function understand(state: ProviderState, at: EndpointName, exchange: Exchange): void {
  for (const [id, deviation] of actingAt(state, at)) {
    const understood = deviation.understand?.(situationOf(state, exchange))
    if (!understood) continue
    Object.assign(exchange, understood)
    exchange.leniencies.push(id)
  }
}

/**
 * The reply by which a request is refused that an RFC allows, if it is.
 * @throws OAuthError likewise
 */
export function refuse(
  state: ProviderState,
  at: EndpointName,
  exchange: Exchange,
): Reply | undefined {
  for (const [id, deviation] of actingAt(state, at)) {
    const refusal = deviation.refuse?.(situationOf(state, exchange))
    if (!refusal) continue
    exchange.leniencies.push(id)
    if (refusal instanceof OAuthError) throw refusal
    return refusal
  }
  return undefined
}

/** @throws OAuthError for an authorization request that the provider does not take */
export function requireAcceptable({ settings }: ProviderState, parameters: Parameters): void {
  for (const [, deviation] of settings.deviations) {
    const refusal = deviation.refuseRequest?.(parameters)
    if (refusal) throw refusal
  }
}

/** Answers in the provider's own way. */
export function deviate(
  state: ProviderState,
  at: EndpointName,
  exchange: Exchange,
  reply: Reply,
): Reply {
  return actingAt(state, at).reduce((altered, [id, { answer }]) => {
    const answered = answer?.(altered, situationOf(state, exchange)) ?? altered
    if (answered !== altered) exchange.leniencies.push(id)
    return answered
  }, reply)
}

/** Tells whether the provider issues refresh tokens for an authorization. */
export async function issuesRefreshToken(
  state: ProviderState,
  authorization: Authorization,
): Promise<boolean> {
  const earlier = async () => {
    const all = await state.authorizations.list()
    return all.slice(
      0,
      all.findIndex(({ id }) => id === authorization.id),
    )
  }
  for (const [, { refreshToken }] of state.settings.deviations) {
    if (refreshToken && !(await refreshToken(authorization, earlier))) return false
  }
  return true
}

function actingAt({ settings }: ProviderState, at: EndpointName): Deviations {
  return settings.deviations.filter(([, deviation]) => deviation.at === at)
}

/** What a deviation may look at in this exchange. */
function situationOf({ clock }: ProviderState, exchange: Exchange): DeviationSituation {
  const { method, url, headers, query, form, body, sent, authorization } = exchange
  return { method, url, headers, query, form, body, sent, authorization, now: clock.now() }
}
