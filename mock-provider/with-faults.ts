/** Lets the faults that are switched on disturb an endpoint's answer. */
import { ConnectionClosed } from './connection-closed.ts'
import type { Exchange } from './exchange.ts'
import type { ActiveFault } from './fault-switch.ts'
import type { FaultEndpoint, Situation } from './faults/fault.ts'
import type { Reply } from './reply.ts'
import type { ProviderState } from './state.ts'

/**
 * Answers with `handle`, disturbed. Faults fire in the order they were given; one that answers or
 * closes the connection leaves the later ones for the next request.
 * @throws ConnectionClosed
 */
export async function withFaults(
  state: ProviderState,
  exchange: Exchange,
  endpoint: FaultEndpoint,
  handle: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const faults = endpoint === 'discovery' ? state.faults : exchange.authorization?.faults
  const active = faults?.active(endpoint, exchange.form.get('grant_type')) ?? []
  for (const each of active) {
    const { hold, disconnect, answer } = each.fault
    if (!hold && !disconnect && !answer) continue
    fire(exchange, each)
    if (disconnect) throw new ConnectionClosed('provider')
    if (answer) return answer(situationOf(state, exchange, each))
    await faults?.held(exchange.signal)
    if (exchange.signal.aborted) throw new ConnectionClosed('peer')
  }
  const reply = await handle()
  if (reply.status >= 400) return reply
  return active.reduce((altered, each) => {
    if (!each.fault.alter) return altered
    fire(exchange, each)
    return each.fault.alter(altered, situationOf(state, exchange, each))
  }, reply)
}

/** Counts and names a fault that takes effect. */
export function fire(exchange: Exchange, each: ActiveFault): void {
  each.spend()
  exchange.fired.push(each.id)
}

/** What a fault may look at in this exchange. */
export function situationOf(
  { settings, opaque }: ProviderState,
  { headers, form }: Exchange,
  { value }: ActiveFault,
): Situation {
  return { issuer: settings.issuer, value, headers, form, opaque }
}
