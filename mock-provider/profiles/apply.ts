/** Lets a provider deviate where its profile says so, and notes which deviation took effect. */
import type { EndpointName } from '../events.ts'
import type { Exchange } from '../exchange.ts'
import { OAuthError } from '../oauth-error.ts'
import type { Authorization } from '../authorization.ts'
import type { Parameters } from '../parameters.ts'
import type { Reply } from '../reply.ts'
import type { ProviderState } from '../state.ts'
import type { Deviation, Profile } from './deviation.ts'

/** The deviations that are in force: a provider without a profile has none. */
export type Deviations = readonly (readonly [id: string, deviation: Deviation])[]

export function deviationsOf(profile: Profile | undefined): Deviations {
  return Object.entries(profile?.deviations ?? {})
}

/** Reads a request in the provider's own way. */
export function understand(state: ProviderState, at: EndpointName, exchange: Exchange): void {
  for (const [id, deviation] of actingAt(state, at)) {
    const understood = deviation.understand?.(exchange)
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
    const refusal = deviation.refuse?.(exchange)
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
    const answered = answer?.(altered, exchange, state) ?? altered
    if (answered !== altered) exchange.leniencies.push(id)
    return answered
  }, reply)
}

/** Tells whether the provider issues refresh tokens for an authorization. */
export async function issuesRefreshToken(
  state: ProviderState,
  authorization: Authorization,
): Promise<boolean> {
  for (const [, { refreshToken }] of state.settings.deviations) {
    if (refreshToken && !(await refreshToken(authorization, state))) return false
  }
  return true
}

function actingAt({ settings }: ProviderState, at: EndpointName): Deviations {
  return settings.deviations.filter(([, deviation]) => deviation.at === at)
}
