/** Whether what is replayed after consent is the call that was paused: by its arguments, where the API is shown them. */

import {
  isAfter,
  show,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { carries, isTelling } from '../../oauth-client/arguments.ts'
import { apiRequests } from '../../oauth-client/view.ts'
import { callOf, type CallView } from './view.ts'

/** An argument of a call that none of these requests to the API has, although the undisturbed call shows its like there. */
export function lostArgument(
  twin: Transcript | undefined,
  { arguments: own }: CallView,
  requests: readonly Recorded<RequestEvent>[],
): { readonly expected: string; readonly actual: string } | undefined {
  if (!twin) return undefined
  const [usual, later] = [callOf(twin), callOf(twin, 'call-2')]
  const replayed = apiRequests(usual).filter((each) => !isAfter(each, later.request))
  const lost = Object.entries(own).find(
    ([name, value]) =>
      isTelling(value) && carries(replayed, usual.arguments[name]) && !carries(requests, value),
  )
  if (!lost) return undefined
  const [name, value] = lost
  return {
    expected: `${name}: ${show(value)}, as the model asked`,
    actual: 'not sent to the API',
  }
}
