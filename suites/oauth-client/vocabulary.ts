/** The names that the scenarios of an OAuth client share. */

import type { NewName } from '../../harness/engine/index.ts'

/**
 * Names the users of one scenario, each differently. They end alike, so that a log shows who belongs together, and so
 * that an implementation which keeps only a part of a name is found.
 */
export function userNames(newName: NewName): NewName {
  const end = newName('')
  const given = new Map<string, number>()
  return (kind) => {
    const before = given.get(kind) ?? 0
    given.set(kind, before + 1)
    return `${kind}${before === 0 ? '' : `-${before + 1}`}${end}`
  }
}

/** What arrives at an origin that is nobody's is recorded for this name, which no call has. */
export const elsewhereCall = 'elsewhere'
