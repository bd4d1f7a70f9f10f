/** Calls that were served, as the protected API shows. */

import { isAfter } from '../../../../harness/engine/index.ts'
import { served, tokenAccesses } from '../../../oauth-client/view.ts'
import { isError, type CallView } from '../view.ts'

/** Whether it ended with what was asked for: an error may be told in any words, but the API serves no token then. */
export function isServed(
  calls: readonly CallView[],
  { user, results: [result] }: CallView,
): boolean {
  if (!result || isError(result)) return false
  return calls
    .filter((call) => call.user === user)
    .flatMap(tokenAccesses)
    .some((access) => served(access) && isAfter(result.event, access))
}
