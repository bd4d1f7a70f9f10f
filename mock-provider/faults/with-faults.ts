/** Lets the faults that are switched on disturb an endpoint's answer. */
import { presentedClient } from '../clients/presented-client.ts'
import { ConnectionClosed } from '../http/connection-closed.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Reply } from '../http/reply.ts'
import type { ProviderState } from '../provider/state.ts'
import { resourceAt } from '../resource/bearer-challenge.ts'
import { chain, type MaybePromise } from '../storage/maybe-promise.ts'
import type { FaultScope } from './fault-scope.ts'
import type { ActiveFault } from './fault-switch.ts'
import type { FaultEndpoint, Situation } from './fault.ts'

/**
 * Answers with `handle`, disturbed. Faults fire in the order they were given; one that answers or
 * closes the connection leaves the later ones for the next request.
 * @throws ConnectionClosed
 */
export function withFaults(
  state: ProviderState,
  exchange: Exchange,
  endpoint: FaultEndpoint,
  handle: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  return chain(activeFaults(state, exchange, endpoint), (active) =>
    active.length === 0 ? handle() : disturbed(state, exchange, active, handle),
  )
}

async function disturbed(
  state: ProviderState,
  exchange: Exchange,
  active: readonly ActiveFault[],
  handle: () => MaybePromise<Reply>,
): Promise<Reply> {
  for (const each of active) {
    const { hold, disconnect, answer } = each.fault
    if (!hold && !disconnect && !answer) continue
    const instead = answer?.(situationOf(state, exchange, each))
    if ((answer && !instead) || !(await fire(exchange, each))) continue
    if (disconnect) throw new ConnectionClosed('provider')
    if (instead) return instead
    await state.faults.held(each.scope, exchange.signal)
    if (exchange.signal.aborted) throw new ConnectionClosed('peer')
  }
  const reply = await handle()
  if (reply.status >= 400) return reply
  let altered = reply
  for (const each of active) {
    const { alter, lose } = each.fault
    if ((!alter && !lose) || !(await fire(exchange, each))) continue
    if (!alter) throw new ConnectionClosed('provider')
    altered = alter(altered, situationOf(state, exchange, each))
  }
  return altered
}

/** The faults that are to fire now for whatever an exchange belongs to. */
export function activeFaults(
  state: ProviderState,
  exchange: Exchange,
  endpoint: FaultEndpoint,
): MaybePromise<readonly ActiveFault[]> {
  return state.faults.active(scopesOf(exchange), endpoint, exchange.form.get('grant_type'))
}

/** Whom an exchange belongs to, as far as it can be told, the closest first. */
function scopesOf({ authorization, headers, form }: Exchange): readonly FaultScope[] {
  const clientId = authorization?.request.clientId ?? presentedClient(headers, form).clientId
  return [
    ...(authorization ? [`authorization:${authorization.id}` as const] : []),
    ...(clientId === undefined ? [] : [`client:${clientId}` as const]),
    ...(authorization?.subject === undefined ? [] : [`user:${authorization.subject}` as const]),
    'next',
    'issuer',
  ]
}

/** Counts and names a fault that takes effect; false when another request used the last one up. */
export async function fire(exchange: Exchange, each: ActiveFault): Promise<boolean> {
  const fires = await each.spend()
  if (fires) exchange.fired.push(each.id)
  return fires
}

/** What a fault may look at in this exchange. */
export function situationOf(
  { settings, opaque, clock, signer }: ProviderState,
  { headers, form, body, url }: Exchange,
  { value }: ActiveFault,
): Situation {
  const { issuer } = settings
  const resource = resourceAt(issuer, url.pathname)
  return {
    issuer,
    path: url.pathname,
    resource,
    value,
    headers,
    form,
    body,
    opaque,
    signer: (algorithm) => signer.used(algorithm),
    now: clock.now(),
  }
}
