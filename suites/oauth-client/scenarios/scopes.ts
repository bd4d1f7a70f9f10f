/** Whether authorization requests ask for more than the operation needs (RFC 9700 §2.3). */

import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
  type Judgement,
  type ProviderRecord,
  type Recorded,
} from '../../../harness/engine/index.ts'
import type { ClientDeclared } from '../declarations.ts'

type Request = Recorded<ProviderRecord>

function scopesOf({ detail }: Request): readonly string[] {
  const scopes = detail['scopes']
  return Array.isArray(scopes) ? scopes.map(String) : []
}

/** None of these requests, all for the operation, asks for a scope beyond those that are declared. */
export function asksForNoMore(
  requests: readonly Request[],
  { scopes }: Pick<ClientDeclared, 'scopes'>,
): Judgement {
  const asking = requests.filter((request) => scopesOf(request).length > 0)
  const [first] = asking
  if (!first) return inconclusive('no scope was requested', cite(...requests.slice(0, 1)))
  if (!scopes) return notApplicable('operation.scopes is not declared')
  // Scopes that serve the flow itself rather than the operation (OpenID Connect Core §11, §3.1.2.1).
  const allowed = [...scopes, 'openid', 'offline_access']
  const greedy = asking.find((request) => scopesOf(request).some((each) => !allowed.includes(each)))
  if (!greedy) return pass(scopesOf(first).join(' '), cite(...asking.slice(0, 3)))
  return violation(
    'more is requested than the operation needs',
    { expected: scopes.join(' ') || 'no scope', actual: scopesOf(greedy).join(' ') },
    cite(greedy),
  )
}
