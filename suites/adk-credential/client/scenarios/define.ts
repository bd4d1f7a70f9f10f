/** Gives the scenarios of this profile their types. */

import type { Scenario } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'

export type ClientScenario = Scenario<Fixtures, Declared>

export function scenario(definition: ClientScenario): ClientScenario {
  return definition
}

/** Whoever waits for a callback to be pasted takes the next line for it. */
export function needsListener({ pastes }: Declared): string | undefined {
  return pastes ? 'the callback is pasted, once, and nothing else is read meanwhile' : undefined
}

export function needsUsers({ severalUsers }: Declared): string | undefined {
  return severalUsers
    ? undefined
    : 'what is said names no {user}, so that there is one user (of an adapter: drive.users)'
}

/** The gate, and the undisturbed twin of everything else. */
export const control = 'consent-and-complete'
