/** Gives the scenarios of this profile their types. */

import { Unreached, type Scenario } from '../../../../harness/engine/index.ts'
import type { Declared } from '../configuration.ts'
import type { Fixtures } from '../test-bed.ts'

export type RuntimeScenario = Scenario<Fixtures, Declared>

export function scenario(definition: RuntimeScenario): RuntimeScenario {
  return definition
}

/**
 * Waits for something without which the drive can go on all the same. The function that it gives throws
 * {@link Unreached} if it did not come; what was recorded until then is judged in any case.
 */
export async function goOn(waiting: Promise<unknown>): Promise<() => void> {
  try {
    await waiting
    return () => undefined
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return () => {
      throw error
    }
  }
}

/** The undisturbed calls: without authorization, with it, and with a user who goes on talking: the twins of all others. */
export const controls = {
  plain: 'complete-without-oauth',
  oauth: 'authorize-and-complete',
  talk: 'talk-while-running',
} as const
