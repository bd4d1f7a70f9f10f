/** What is wrong with the payload of a pause: what it must say, and what its host needs. */

import { show } from '../../../harness/engine/index.ts'
import { textIn, type Pause } from '../view.ts'

/** Why a run waits for its user to consent. */
export const expectedReason = 'external_event'

const needed = ['auth_url', 'state', 'scopes', 'display_name']

interface Difference {
  readonly expected: string
  readonly actual: string
}

export function wrongPayload({ reason, payload }: Pause): Difference | undefined {
  if (reason !== expectedReason)
    return { expected: `reason ${expectedReason}`, actual: show(reason) }
  const { pause_type: type, provider } = payload
  if (type !== 'oauth') return { expected: 'pause_type oauth', actual: show(type) }
  if (textIn(provider)) return undefined
  return { expected: 'the name of the provider', actual: show(provider) }
}

export function missingFields({ payload }: Pause): Difference | undefined {
  const missing = needed.filter((name) => {
    const value = payload[name]
    return value === undefined || value === null || value === ''
  })
  if (missing.length === 0) return undefined
  return { expected: needed.join(', '), actual: `no ${missing.join(', no ')}` }
}
