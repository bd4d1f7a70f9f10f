/** The API sends its request to another origin. */

import { redirected } from '../../../oauth-client/scenarios/index.ts'
import { tokenAccesses } from '../../../oauth-client/view.ts'
import { handoff } from '../handoff.ts'

export const redirectedApi = redirected(handoff, {
  id: 'api-redirected-elsewhere',
  fault: 'resource-redirect',
  requirement: 'rap-oauth/tool/no-token-elsewhere',
  what: 'request',
  by: 'the protected API',
  of: (call) => tokenAccesses(call)[0] ?? 'the operation was not retried with the new token',
})
