/** What a vendor declared that takes scenarios away. */

import type { Declared } from './configuration.ts'

export function needsClock({ clock }: Declared): string | undefined {
  return clock
    ? undefined
    : 'neither target.clock: jump nor declares.clock is set, and nobody waits for so long'
}

export function needsErrors({ callback }: Declared): string | undefined {
  return callback === 'url'
    ? undefined
    : 'declares.callback is code-state: what else a callback holds is its host’s'
}

export function needsDurability({ durable }: Declared): string | undefined {
  return durable ? undefined : 'declares.durable is not set: there is no token store'
}

export function needsDurableFlows({ durable, durableFlows }: Declared): string | undefined {
  return durable && durableFlows
    ? undefined
    : 'declares.durable and declares.durableFlows are not both set'
}

export function needsSecondProvider({ secondProvider }: Declared): string | undefined {
  return secondProvider === undefined
    ? 'others.secondProvider names no tool of a second provider'
    : undefined
}

export function needsUnknownProvider({ unknownProvider }: Declared): string | undefined {
  return unknownProvider === undefined
    ? 'others.unknownProvider names no tool of a provider that is not configured'
    : undefined
}
