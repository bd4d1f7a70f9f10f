/** What a vendor declared that takes scenarios away. */

import type { Declared } from './configuration.ts'

export function needsModern({ modern }: Declared): string | undefined {
  return modern ? undefined : 'revision 2026-07-28 is not declared (declares.modern)'
}

/** A tool that needs no scope cannot lack one. */
export function needsScopes({ scopes }: Declared): string | undefined {
  return scopes?.length === 0 ? 'the tool needs no scope (declares.scopes is empty)' : undefined
}
