/** Whether an implementation was led to the mock provider, where it had to find it under the names of a real one. */

import { provesNothingStep } from '../../engine/judging/judge-recorded.ts'
import type { Run } from '../../engine/run.ts'
import type { MockProvider } from '../../../mock-provider/index.ts'
import { visitHeader } from '../user/user-agent.ts'

/**
 * Watches until the run ends: where users approved and the implementation asked for nothing under any of the names, it
 * resolves names in another way, and what the scenarios of these users recorded proves nothing.
 */
export function watchArrivals(
  { onEvent }: Pick<MockProvider, 'onEvent'>,
  names: readonly string[],
  { log, onEnded }: Pick<Run, 'log' | 'onEnded'>,
): void {
  if (names.length === 0) return
  const visitors = new Map<number, string>()
  const approved = new Set<string>()
  let hasArrived = false
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
  onEnded(() => {
    if (hasArrived || approved.size === 0) return
    const reason = `no request of the implementation arrived under ${names.join(', ')}: it resolves names in another way, and may have talked to the real provider`
    const detail = { reason, scenarios: [...approved] }
    log.record({ type: 'step', action: provesNothingStep, detail })
  })
}

function isHost(host: string | undefined, name: string): boolean {
  return host === name || (host?.startsWith(`${name}:`) ?? false)
}
