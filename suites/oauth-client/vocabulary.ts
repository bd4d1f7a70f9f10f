/** The names that the scenarios of an OAuth client share. */

import { randomBytes } from 'node:crypto'

/** A random name that is unique in the run and says in a log where it comes from. */
export function uniqueId(kind: string): string {
  return `${kind}-${randomBytes(9).toString('hex')}`
}

/** What arrives at an origin that is nobody's is recorded for this name, which no call has. */
export const elsewhereCall = 'elsewhere'
