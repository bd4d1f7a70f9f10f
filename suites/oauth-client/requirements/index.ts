/**
 * What OAuth itself asks of whoever receives a code and holds tokens, as far as an outside observer can check it. The
 * ids are the same in every profile. A protocol takes a row as it is, or raises it where its own document demands it.
 */

import type { Requirement } from '../../../harness/engine/index.ts'
import { authorizationRequest } from './authorization-request.ts'
import { callback } from './callback.ts'
import { leaks } from './leaks.ts'
import { results } from './results.ts'
import { tokens } from './tokens.ts'

export const clientRequirements: readonly Requirement[] = [
  ...authorizationRequest,
  ...callback,
  ...results,
  ...tokens,
  ...leaks,
]

/** The row of that name. @throws TypeError when there is none */
export function shared(name: string): Requirement {
  const row = clientRequirements.find(({ id }) => id === `oauth-client/${name}`)
  if (!row) throw new TypeError(`oauth-client has no requirement ${name}`)
  return row
}

/** A row that a protocol does not ask, with the reason. */
export function notAsked(row: Requirement, excluded: string): Requirement {
  const { observed: _, mend: __, ...rest } = row
  return { ...rest, excluded }
}

/** The row of that name as a protocol demands it: its own document, its keyword, its words. */
export function raised(name: string, own: Partial<Omit<Requirement, 'id'>>): Requirement {
  return { ...shared(name), ...own }
}
