/** Where access tokens stand in the requests of the API (RFC 6750 §2.1, RFC 9700 §4.3.2). */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Judgement,
  type ProviderRecord,
  type Recorded,
} from '../../../harness/engine/index.ts'
import { check } from '../judges.ts'
import { isTokenAccess } from '../view.ts'

/** That each of these requests has its token in the header. */
export function inHeaders(accesses: readonly Recorded<ProviderRecord>[]): Judgement {
  if (accesses.length === 0) return inconclusive('no token reached the protected API')
  const wrong = accesses.find((access) => access.detail['credential'] !== 'header')
  if (!wrong) return pass(`${accesses.length} requests`, cite(...accesses.slice(0, 3)))
  return violation(
    'an access token travels outside the Authorization header',
    {
      expected: 'Authorization: Bearer …',
      actual: `in the ${String(wrong.detail['credential'])}`,
    },
    cite(wrong),
  )
}

export const tokensInHeaders = check(
  'oauth-client/token-in-header',
  'sends tokens in the header in the whole run, stored ones too',
  (t) => inHeaders(t.provider('resource-access').filter(isTokenAccess)),
)
