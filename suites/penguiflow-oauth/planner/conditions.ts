/** What a vendor declared that takes scenarios away. */

import type { Declared } from '../configuration.ts'

export function needsDurability({ durable }: Declared): string | undefined {
  return durable ? undefined : 'declares.durable is not set: there is no state store'
}

export function needsSecondProvider({ secondProvider }: Declared): string | undefined {
  return secondProvider === undefined
    ? 'others.secondProvider names no tool of a second provider'
    : undefined
}

export function needsOwnCallPath({ callPath }: Declared): string | undefined {
  return callPath === 'own'
    ? undefined
    : 'declares.callPath is adapter: what the API answers does not reach the framework'
}

/** The record of a pause with a token in its run. */
export function needsKeptToken(declared: Declared): string | undefined {
  return needsDurability(declared) ?? needsSecondProvider(declared)
}
