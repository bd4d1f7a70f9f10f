/** Whether an implementation was led to the mock provider, where it had to find it under the names of a real one. */

import { provesNothingStep } from '../../engine/judging/judge-recorded.ts'
import type { Run } from '../../engine/run.ts'
import type { MockProvider } from '../../../mock-provider/index.ts'
import { visitHeader } from '../user/user-agent.ts'

/** What the providers of a run have in common here. */
export interface Arrivals {
  /** Watches one of them until the run ends. */
  readonly watch: (provider: Pick<MockProvider, 'onEvent'>) => void
}

/**
 * Where users approved and the implementation asked none of the watched providers for anything under any of the names, it
 * resolves names in another way, and what the scenarios of these users recorded proves nothing. One request shows how it
 * resolves them, whichever instance it came from: another one may have had nothing to ask for.
 */
export function expectArrivals(
  names: readonly string[],
  { log, onEnded }: Pick<Run, 'log' | 'onEnded'>,
): Arrivals {
  const approved = new Set<string>()
  let hasArrived = false
  onEnded(() => {
    if (hasArrived || approved.size === 0) return
    const reason = `no request of the implementation arrived for ${names.join(', ')}: it resolves names in another way, and may have called the real provider`
    const detail = { reason, scenarios: [...approved] }
    log.record({ type: 'step', action: provesNothingStep, detail })
  })
  return {
    watch({ onEvent }) {
      const visitors = new Map<number, string>()
      onEvent((event) => {
        const { type, exchange } = event
        if (type === 'request') {
          const [scenario] = event.headers[visitHeader]?.split('/') ?? []
          if (scenario !== undefined) visitors.set(exchange, scenario)
          else hasArrived ||= names.some((name) => isHost(event.headers['host'], name))
        }
        if (type === 'decision' && event.action === 'approve') {
          const scenario = visitors.get(exchange)
          if (scenario !== undefined) approved.add(scenario)
        }
        if (type === 'response' || type === 'connection') visitors.delete(exchange)
      })
    },
  }
}

function isHost(host: string | undefined, name: string): boolean {
  return host === name || (host?.startsWith(`${name}:`) ?? false)
}
