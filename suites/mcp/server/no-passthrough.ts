/** Tokens of MCP clients at the API of the third party. */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  servedPath,
  violation,
  type Check,
} from '../../../harness/engine/index.ts'
import { isApi, served } from '../../oauth-client/view.ts'
import { needsAuthorization, type Demanding } from './needs-authorization.ts'
import { bearersOf } from './off-wire.ts'

/** No token of an MCP client arrived at the API. */
export const noPassthrough: Check<Demanding>['judge'] = (t, { declared }) => {
  const reason = needsAuthorization(declared)
  if (reason !== undefined) return notApplicable(reason)
  const bearers = bearersOf(t)
  if (bearers.length === 0) return inconclusive('no client had a token')
  const passed =
    t.provider('resource-access').find(({ detail }) => bearers.includes(String(detail['token']))) ??
    t
      .requests('provider')
      .find(
        ({ secrets = [], ...request }) =>
          isApi(servedPath(request)) && secrets.some(({ id }) => bearers.includes(id)),
      )
  if (passed) {
    return violation(
      "the token of an MCP client was sent to the third party's API",
      { expected: 'a token that was issued to the server', actual: 'the token of the client' },
      cite(passed),
    )
  }
  const accesses = t.provider('resource-access').filter(served)
  if (accesses.length === 0) return inconclusive('the API was never called')
  return pass(`${accesses.length} requests to the API`, cite(...accesses.slice(0, 3)))
}
